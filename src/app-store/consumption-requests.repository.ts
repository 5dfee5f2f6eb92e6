import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

const isAnswered = statement(
  'consumption_requests.is_answered',
  `SELECT 1 FROM store_notifications WHERE project_id = $1 AND id = $2 AND answered_at IS NOT NULL`,
);

const answered = statement(
  'consumption_requests.answered',
  `UPDATE store_notifications SET answered_at = $3 WHERE project_id = $1 AND id = $2 AND answered_at IS NULL`,
);

/** Queries on the requests among the notifications that want an answer. */
@Injectable()
export class ConsumptionRequestsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async isAnswered(projectId: string, notificationId: string): Promise<boolean> {
    return (await this.database.query(isAnswered, [projectId, notificationId])).length > 0;
  }

  async answered(projectId: string, notificationId: string, at: Date): Promise<void> {
    await this.database.query(answered, [projectId, notificationId, at]);
  }
}
