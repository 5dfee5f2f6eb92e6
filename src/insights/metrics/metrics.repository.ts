import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../libs/kernel/index.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { longStatement, statement } from '../../platform/database/statement.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';
import { CUSTOMER_DAYS_KEPT } from '../charts/facts/customer-days.js';
import type { Window } from './metric-window.js';

const DAY_MS = 86_400_000;

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

interface DayCount {
  day: string;
  customers: number;
}

@Injectable()
export class MetricsRepository {
  constructor(private readonly database: DatabaseService) {}

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

  /** Deletes days that are too old for any history. */
  @Cleanup('customer_days_retention', CUSTOMER_DAYS_KEPT * DAY_MS)
  async pruneCustomerDays(until: Date, limit: number): Promise<number> {
    return (await this.database.query(prune, [utcDay(until.getTime()), limit])).length;
  }
}
