import { Inject, Injectable } from '@nestjs/common';
import { utcDay } from '../../libs/kernel/index.js';
import { Database, type Reader } from '../database/database.js';
import { longStatement, statement } from '../database/statement.js';
import type { MetricEnvironment } from './metric-periods.js';
import { type Bucket, startOfDay, type Window } from './metric-series.js';

const plan = 'app_id, store_product_id, length_units';

/**
 * Whole days from the rollup, and from the periods themselves what no whole day covers: today until now ($5),
 * and the money of the part of the first day ($3, of which $6 is the end) that lies in the window. $4: the
 * beginning of today. Days before the first whole one are one row without a day.
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
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND starts_at >= $4 AND starts_at <= $5
     UNION ALL
     SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, -trials, -subscriptions, -price_micros, 0, 0
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND ends_at >= $4 AND ends_at <= $5
     UNION ALL
     SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date, ${plan}, 0, 0, 0, revenue_micros, transactions
     FROM metric_periods WHERE project_id = $1 AND environment = $2 AND starts_at >= $3 AND starts_at < $6
   ) m GROUP BY 1, 2, 3, 4`,
);

const newCustomers = statement(
  'metrics.new_customers',
  `SELECT to_char(first_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS customers
   FROM customers WHERE project_id = $1 AND first_seen_at >= $2 AND first_seen_at <= $3 GROUP BY 1`,
);

const seenSince = statement(
  'metrics.seen_since',
  'SELECT count(*)::int AS customers FROM customers WHERE project_id = $1 AND last_seen_at >= $2',
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

const DAY_MS = 86_400_000;

interface DayCount {
  day: string;
  customers: number;
}

/** Reads of figures. */
@Injectable()
export class MetricsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** What is rolled up, in the buckets of a window. Money before the window is in the bucket without a day. */
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
    ]);
  }

  /** Customers first seen in a window, by day. */
  async newCustomers(
    executor: Reader,
    projectId: string,
    { fromMs, nowMs }: Window,
  ): Promise<Map<string, number>> {
    const rows = await executor.query<DayCount>(newCustomers, [projectId, new Date(fromMs), new Date(nowMs)]);
    return new Map(rows.map(({ day, customers }) => [day, customers]));
  }

  /** Customers seen since a moment. */
  async seenSince(executor: Reader, projectId: string, sinceMs: number): Promise<number> {
    const [row] = await executor.query<{ customers: number }>(seenSince, [projectId, new Date(sinceMs)]);
    return row?.customers ?? 0;
  }

  /** Customers seen on each day of a window. */
  async seenByDay(
    executor: Reader,
    projectId: string,
    { fromMs, nowMs }: Window,
  ): Promise<Map<string, number>> {
    const rows = await executor.query<DayCount>(seenByDay, [projectId, utcDay(fromMs), utcDay(nowMs)]);
    return new Map(rows.map(({ day, customers }) => [day, customers]));
  }

  /** Customers seen on any day of a window, each counted once. */
  async seenBetween(executor: Reader, projectId: string, { fromMs, nowMs }: Window): Promise<number> {
    const values = [projectId, utcDay(fromMs), utcDay(nowMs)];
    return (await executor.query<{ customers: number }>(seenBetween, values))[0]?.customers ?? 0;
  }

  /** Forgets at most `limit` of the days before a moment on which customers were seen, of all projects; gives how many. */
  async pruneCustomerDays(beforeMs: number, limit: number): Promise<number> {
    return (await this.database.query(prune, [utcDay(beforeMs), limit])).length;
  }
}
