import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';

const MOST = 50;

/** Genuine notifications that the store delivered. Those without an environment may concern production. */
const arrivals = statement(
  'notification_silence.arrivals',
  `SELECT ${epochMs('n.received_at')} AS "atMs" FROM store_notifications n
   WHERE n.project_id = $1 AND n.app_id = $2 AND n.received_at >= $3 AND n.state <> 'rejected' AND NOT n.was_missed
     AND (n.environment IS NULL OR n.environment = 'production')
   ORDER BY n.received_at DESC LIMIT ${MOST}`,
);

@Injectable()
export class NotificationSilenceRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Arrival times of the last notifications about production, epoch ms, newest first. */
  async arrivals(app: { projectId: string; appId: string }, since: Date): Promise<number[]> {
    const rows = await this.database.query<{ atMs: number }>(arrivals, [app.projectId, app.appId, since]);
    return rows.map(({ atMs }) => atMs);
  }
}
