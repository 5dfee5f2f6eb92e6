import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

const lastHeard = statement(
  'silent_apps.last_heard',
  `SELECT received_at AS at FROM store_notifications
   WHERE project_id = $1 AND app_id = $2 AND state <> 'rejected' ORDER BY received_at DESC LIMIT 1`,
);

/** Subscriptions in one statement. */
const BATCH = 1_000;

/**
 * Has the store asked about a batch of the subscriptions that give access at $3, those behind ($4, $5, $6): each at a
 * moment of its own, always the same, within the next $7 ms, unless something newer than half of that will be known.
 * Gives the last of the batch; no row when it was empty.
 */
const requestActive = statement(
  'silent_apps.request_active',
  `WITH batch AS (
     SELECT s.environment, s.chain_key, s.access_ends_at, s.facts_at_ms,
       $3::timestamptz + (hashtext(s.chain_key)::bigint & 2147483647) % $7::bigint * interval '1 millisecond' AS due_at
     FROM subscriptions s
     WHERE s.project_id = $1 AND s.app_id = $2 AND s.access_ends_at >= $4
       AND (s.access_ends_at, s.environment, s.chain_key) > ($4, $5, $6)
     ORDER BY s.access_ends_at, s.environment, s.chain_key LIMIT ${BATCH}
   ), asked AS (
     INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
     SELECT $1, $2, b.environment, b.chain_key, b.due_at FROM batch b
     WHERE b.facts_at_ms <= extract(epoch FROM b.due_at) * 1000 - $7::bigint / 2
     ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING
   )
   SELECT b.access_ends_at AS "endsAt", b.environment, b.chain_key AS key FROM batch b
   ORDER BY b.access_ends_at DESC, b.environment DESC, b.chain_key DESC LIMIT 1`,
);

interface Place {
  projectId: string;
  appId: string;
}

interface LastOfBatch {
  endsAt: Date;
  environment: string;
  key: string;
}

/** Queries on apps whose stores send no notifications. */
@Injectable()
export class SilentAppsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** When the last genuine notification of an app came, of those that are kept; null when none did. */
  async lastHeard({ projectId, appId }: Place): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date }>(lastHeard, [projectId, appId]);
    return row?.at ?? null;
  }

  /** Has the store asked about every subscription that gives access now, once within so many ms. */
  async requestActive({ projectId, appId }: Place, now: Date, withinMs: number): Promise<void> {
    let last: LastOfBatch | undefined = { endsAt: now, environment: '', key: '' };
    while (last) {
      const values: unknown[] = [projectId, appId, now, last.endsAt, last.environment, last.key, withinMs];
      [last] = await this.database.query<LastOfBatch>(requestActive, values);
    }
  }
}
