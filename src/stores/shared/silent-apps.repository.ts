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

/** Spreads the purchases over $9 ms from $8, each at a fixed offset. */
const dueAt = (key: string): string =>
  `$8::timestamptz + (hashtext(p.${key})::bigint & 2147483647) % $9::bigint * interval '1 millisecond'`;

interface Walk {
  /** Finds the last purchase of the next batch, which is behind one ($4, $5) and before a time ($6). */
  end: Statement;
  /** Schedules the batch up to its last purchase ($6, $7). Skips those whose data will be newer than $10 ms by then. */
  schedule: Statement;
}

function walk(name: string, table: string, [at, key]: [string, string], conditions = ''): Walk {
  const behind = `${table} p WHERE p.project_id = $1 AND p.app_id = $2 AND p.environment = $3
     AND p.${at} >= $4 AND (p.${at}, p.${key}) > ($4, $5)`;
  return {
    end: statement(
      `silent_apps.end_of_${name}`,
      `SELECT b.at, b.key FROM (
         SELECT p.${at} AS at, p.${key} AS key FROM ${behind} AND p.${at} < $6
         ORDER BY p.${at}, p.${key} LIMIT ${BATCH}) b
       ORDER BY b.at DESC, b.key DESC LIMIT 1`,
    ),
    schedule: statement(
      `silent_apps.ask_about_${name}`,
      `INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at)
       SELECT p.project_id, p.app_id, p.environment, p.${key}, ${dueAt(key)} FROM ${behind}
         AND p.${at} <= $6 AND (p.${at}, p.${key}) <= ($6, $7)
         AND p.facts_at_ms <= extract(epoch FROM ${dueAt(key)}) * 1000 - $10::bigint ${conditions}
       ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING`,
    ),
  };
}

/** Subscriptions by the end of access. */
const subscriptions = walk('subscriptions', 'subscriptions', ['access_ends_at', 'store_key']);

/**
 * One-time purchases by the time of purchase. If one request covers a whole store account ($11), only each customer's
 * newest outdated purchase is included.
 */
const oneTime = walk(
  'one_time',
  'one_time_purchases',
  ['purchased_at', 'purchase_key'],
  `AND p.status = 'owned'
         AND NOT ($11 AND EXISTS (
           SELECT 1 FROM one_time_purchases n
           WHERE n.project_id = $1 AND n.customer_id = p.customer_id AND n.app_id = p.app_id
             AND n.environment = p.environment AND n.status = 'owned'
             AND n.facts_at_ms <= extract(epoch FROM $8::timestamptz) * 1000 - $10::bigint
             AND (n.purchased_at, n.purchase_key) > (p.purchased_at, p.purchase_key)))`,
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
    return this.inBatches(subscriptions, place, window);
  }

  scheduleOneTime(place: Place, window: PollingWindow, each: 'by_purchase' | 'by_account'): Promise<void> {
    return this.inBatches(oneTime, place, window, [each === 'by_account']);
  }

  private async inBatches(
    { end, schedule }: Walk,
    { projectId, appId, environment }: Place,
    { now, from, to, spreadMs, staleMs }: PollingWindow,
    more: unknown[] = [],
  ): Promise<void> {
    for (let last = { at: from, key: '' }; ;) {
      const behind = [projectId, appId, environment, last.at, last.key];
      const [next] = await this.database.query<{ at: Date; key: string }>(end, [...behind, to]);
      if (!next) return;
      await this.database.query(schedule, [...behind, next.at, next.key, now, spreadMs, staleMs, ...more]);
      last = next;
    }
  }
}
