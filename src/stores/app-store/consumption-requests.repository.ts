import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { SavedNotification } from '../notifications/notification-source.js';

const isAnswered = statement(
  'consumption_requests.is_answered',
  `SELECT 1 FROM store_notifications WHERE project_id = $1 AND id = $2 AND received_at = $3
     AND answered_at IS NOT NULL`,
);

const answered = statement(
  'consumption_requests.answered',
  `UPDATE store_notifications SET answered_at = $4
   WHERE project_id = $1 AND id = $2 AND received_at = $3 AND answered_at IS NULL`,
);

/** The answer is final. Also sets the notification's last error, because errors are found by its time. */
const refused = statement(
  'consumption_requests.refused',
  `UPDATE store_notifications SET answered_at = $4, answer_error = $5, last_error = $5, last_error_at = $4
   WHERE project_id = $1 AND id = $2 AND received_at = $3 AND answered_at IS NULL`,
);

const placeOf = ({ app, id, receivedAtMs }: SavedNotification): unknown[] => [
  app.projectId,
  id,
  new Date(receivedAtMs),
];

@Injectable()
export class ConsumptionRequestsRepository {
  constructor(private readonly database: DatabaseService) {}

  async isAnswered(notification: SavedNotification): Promise<boolean> {
    return (await this.database.query(isAnswered, placeOf(notification))).length > 0;
  }

  async answered(notification: SavedNotification, at: Date): Promise<void> {
    await this.database.query(answered, [...placeOf(notification), at]);
  }

  async refused(notification: SavedNotification, at: Date, error: string): Promise<void> {
    await this.database.query(refused, [...placeOf(notification), at, error]);
  }
}
