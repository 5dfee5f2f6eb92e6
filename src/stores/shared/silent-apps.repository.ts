import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { type Statement, statement } from '../../platform/database/statement.js';

/** A notification without an environment counts for both. */
const lastHeard = statement(
  'silent_apps.last_heard',
  `SELECT received_at AS at FROM store_notifications
   WHERE project_id = $1 AND app_id = $2 AND state <> 'rejected' AND (environment IS NULL OR environment = $3)
     AND received_at >= $4
   ORDER BY received_at DESC LIMIT 1`,
);

/** Purchases per statement. */
const BATCH = 1_000;

/** Spreads a batch over $5 ms, each at a fixed offset. Skips purchases whose data will be newer than $6 ms by then. */
const askedOf = (batch: string): string => `WITH batch AS (${batch}),
   due AS (
     SELECT b.*, $4::timestamptz + (hashtext(b.key)::bigint & 2147483647) % $5::bigint * interval '1 millisecond' AS due_at
     FROM batch b
   ), asked AS (
     INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
     SELECT $1, $2, $3, d.key, d.due_at FROM due d
     WHERE d.facts_at_ms <= extract(epoch FROM d.due_at) * 1000 - $6::bigint
     ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING
   )
   SELECT d.at, d.key FROM due d ORDER BY d.at DESC, d.key DESC LIMIT 1`;

/** A batch of subscriptions whose access ends after ($7, $8) and before $9. Returns the last one, if any. */
const scheduleSubscriptions = statement(
  'silent_apps.ask_about_subscriptions',
  askedOf(`
     SELECT s.access_ends_at AS at, s.store_key AS key, s.facts_at_ms FROM subscriptions s
     WHERE s.project_id = $1 AND s.app_id = $2 AND s.environment = $3 AND s.access_ends_at >= $7
       AND s.access_ends_at < $9 AND (s.access_ends_at, s.store_key) > ($7, $8)
     ORDER BY s.access_ends_at, s.store_key LIMIT ${BATCH}`),
);

/**
 * The same for one-time purchases bought between those times. If one request covers a whole store account ($10), only
 * each customer's newest outdated purchase is included.
 */
const scheduleOneTime = statement(
  'silent_apps.ask_about_one_time',
  askedOf(`
     SELECT o.purchased_at AS at, o.purchase_key AS key, o.facts_at_ms FROM one_time_purchases o
     WHERE o.project_id = $1 AND o.app_id = $2 AND o.environment = $3 AND o.purchased_at >= $7
       AND o.purchased_at < $9 AND (o.purchased_at, o.purchase_key) > ($7, $8) AND o.status = 'owned'
       AND NOT ($10 AND EXISTS (
         SELECT 1 FROM one_time_purchases n
         WHERE n.project_id = $1 AND n.customer_id = o.customer_id AND n.app_id = o.app_id
           AND n.environment = o.environment AND n.status = 'owned'
           AND n.facts_at_ms <= extract(epoch FROM $4::timestamptz) * 1000 - $6::bigint
           AND (n.purchased_at, n.purchase_key) > (o.purchased_at, o.purchase_key)))
     ORDER BY o.purchased_at, o.purchase_key LIMIT ${BATCH}`),
);

interface Place {
  projectId: string;
  appId: string;
  environment: Environment;
}

export interface PollingWindow {
  now: Date;
  /** Subscriptions are ordered by the end of access, one-time purchases by the time of purchase. */
  from: Date;
  to: Date;
  /** Spread the refreshes over this many ms from now. */
  spreadMs: number;
  /** Skip a purchase whose data will be newer than this (ms) by then. */
  staleMs: number;
}

@Injectable()
export class SilentAppsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** When the last genuine notification of an environment arrived; null if none arrived since that time. */
  async lastHeard({ projectId, appId, environment }: Place, since: Date): Promise<Date | null> {
    const values = [projectId, appId, environment, since];
    const [row] = await this.database.query<{ at: Date }>(lastHeard, values);
    return row?.at ?? null;
  }

  scheduleSubscriptions(place: Place, window: PollingWindow): Promise<void> {
    return this.inBatches(scheduleSubscriptions, place, window);
  }

  scheduleOneTime(place: Place, window: PollingWindow, each: 'by_purchase' | 'by_account'): Promise<void> {
    return this.inBatches(scheduleOneTime, place, window, [each === 'by_account']);
  }

  private async inBatches(
    query: Statement,
    { projectId, appId, environment }: Place,
    { now, from, to, spreadMs, staleMs }: PollingWindow,
    more: unknown[] = [],
  ): Promise<void> {
    const fixed = [projectId, appId, environment, now, spreadMs, staleMs];
    let last: { at: Date; key: string } | undefined = { at: from, key: '' };
    while (last) {
      const values: unknown[] = [...fixed, last.at, last.key, to, ...more];
      [last] = await this.database.query<{ at: Date; key: string }>(query, values);
    }
  }
}
