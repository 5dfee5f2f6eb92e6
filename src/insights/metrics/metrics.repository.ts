import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../libs/kernel/index.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { longStatement, statement } from '../../platform/database/statement.js';
import type { MetricEnvironment } from './metric-periods.js';
import { type Bucket, startOfDay, type Window } from './metric-series.js';

const plan = 'app_id, store_product_id, length_units';

/**
 * Reads whole days and hours from the rollup, and the rest from the periods. Today ($4) counts until now ($5; $8: the
 * current hour). On the day the window starts ($3; $7: its first whole hour, $6: its first whole day) only money
 * counts. Days before the first whole one form a single row without a day.
 */
const buckets = statement(
  'metrics.buckets',
  `SELECT to_char(m.day, 'YYYY-MM-DD') AS day, m.app_id AS "appId", m.store_product_id AS "storeProductId",
     m.length_units AS "lengthUnits", sum(m.trials)::int AS trials, sum(m.subscriptions)::int AS subscriptions,
     sum(m.price_micros)::bigint AS "priceMicros", sum(m.revenue_micros)::bigint AS "revenueMicros",
     sum(m.transactions)::int AS transactions
   FROM (
     SELECT CASE WHEN day >= ($6::timestamptz AT TIME ZONE 'UTC')::date THEN day END AS day, ${plan}, trials,
       subscriptions, price_micros, revenue_micros, transactions
     FROM metric_days
     WHERE project_id = $1 AND environment = $2 AND day < ($4::timestamptz AT TIME ZONE 'UTC')::date
     UNION ALL
     SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, trials, subscriptions, price_micros, revenue_micros,
       transactions
     FROM metric_hours WHERE project_id = $1 AND environment = $2 AND hour >= $4 AND hour < $8
     UNION ALL
     SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, trials, subscriptions, price_micros, revenue_micros,
       transactions
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND starts_at >= $8 AND starts_at <= $5
     UNION ALL
     SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, -trials, -subscriptions, -price_micros, 0, 0
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND ends_at >= $8 AND ends_at <= $5
     UNION ALL
     SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, 0, 0, 0, revenue_micros, transactions
     FROM metric_hours WHERE project_id = $1 AND environment = $2 AND hour >= $7 AND hour < $6
     UNION ALL
     SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, 0, 0, 0, revenue_micros, transactions
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND starts_at >= $3 AND starts_at < $7
   ) m GROUP BY 1, 2, 3, 4`,
);

const seenByDay = statement(
  'metrics.seen_by_day',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, count(*)::int AS customers FROM customer_days
   WHERE project_id = $1 AND day >= $2::date AND day <= $3::date GROUP BY 1`,
);

const seenBetween = statement(
  'metrics.seen_between',
  `SELECT count(DISTINCT customer_id)::int AS customers FROM customer_days
   WHERE project_id = $1 AND day >= $2::date AND day <= $3::date`,
);

const prune = longStatement(
  'metrics.prune_customer_days',
  `DELETE FROM customer_days c USING (
     SELECT project_id, customer_id, day FROM customer_days
     WHERE project_id IN (SELECT id FROM projects) AND day < $1::date LIMIT $2
   ) old
   WHERE c.project_id = old.project_id AND c.customer_id = old.customer_id AND c.day = old.day
   RETURNING 1`,
);

const pruneHours = longStatement(
  'metrics.prune_hours',
  `DELETE FROM metric_hours h USING (
     SELECT project_id, environment, hour, ${plan} FROM metric_hours
     WHERE project_id IN (SELECT id FROM projects) AND hour < $1 LIMIT $2
   ) old
   WHERE h.project_id = old.project_id AND h.environment = old.environment AND h.hour = old.hour
     AND h.app_id = old.app_id AND h.store_product_id = old.store_product_id AND h.length_units = old.length_units
   RETURNING 1`,
);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface DayCount {
  day: string;
  customers: number;
}

@Injectable()
export class MetricsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Money before the window is in the bucket without a day. */
  async buckets(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    { fromMs, nowMs }: Window,
  ): Promise<Bucket[]> {
    const firstWholeDayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
    return snapshot.query<Bucket>(buckets, [
      projectId,
      environment,
      new Date(fromMs),
      new Date(startOfDay(nowMs)),
      new Date(nowMs),
      new Date(firstWholeDayMs),
      new Date(Math.ceil(fromMs / HOUR_MS) * HOUR_MS),
      new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS),
    ]);
  }

  async seenByDay(
    executor: Reader,
    projectId: string,
    { fromMs, nowMs }: Window,
  ): Promise<Map<string, number>> {
    const rows = await executor.query<DayCount>(seenByDay, [projectId, utcDay(fromMs), utcDay(nowMs)]);
    return new Map(rows.map(({ day, customers }) => [day, customers]));
  }

  /** Counts customers seen in a window, each once. */
  async seenBetween(executor: Reader, projectId: string, { fromMs, nowMs }: Window): Promise<number> {
    const values = [projectId, utcDay(fromMs), utcDay(nowMs)];
    return (await executor.query<{ customers: number }>(seenBetween, values))[0]?.customers ?? 0;
  }

  async pruneCustomerDays(beforeMs: number, limit: number): Promise<number> {
    return (await this.database.query(prune, [utcDay(beforeMs), limit])).length;
  }

  async pruneHours(beforeMs: number, limit: number): Promise<number> {
    return (await this.database.query(pruneHours, [new Date(beforeMs), limit])).length;
  }
}
