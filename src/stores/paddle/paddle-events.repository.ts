import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/**
 * Event ids are ULIDs, so they sort by time. $3: the id that a time starts with. Finds the newest event before it, or
 * the oldest known one.
 */
const cursor = statement(
  'paddle_events.cursor',
  `SELECT coalesce(
     (SELECT max(dedupe_key) FROM store_notification_keys
      WHERE project_id = $1 AND app_id = $2 AND dedupe_key >= 'evt_' AND dedupe_key < $3),
     (SELECT min(dedupe_key) FROM store_notification_keys
      WHERE project_id = $1 AND app_id = $2 AND dedupe_key >= 'evt_' AND dedupe_key < 'evt_~')) AS id`,
);

const newest = statement(
  'paddle_events.newest',
  `SELECT received_at AS at FROM store_notifications
   WHERE project_id = $1 AND app_id = $2 AND NOT was_missed AND state <> 'rejected'
   ORDER BY received_at DESC LIMIT 1`,
);

@Injectable()
export class PaddleEventsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The id of a saved event to continue from; null if none was ever saved. */
  async cursor(projectId: string, appId: string, before: string): Promise<string | null> {
    const rows = await this.database.query<{ id: string | null }>(cursor, [projectId, appId, before]);
    return rows[0]?.id ?? null;
  }

  /** When the last webhook arrived. */
  async lastReceivedAt(projectId: string, appId: string): Promise<Date | null> {
    const rows = await this.database.query<{ at: Date }>(newest, [projectId, appId]);
    return rows[0]?.at ?? null;
  }
}
