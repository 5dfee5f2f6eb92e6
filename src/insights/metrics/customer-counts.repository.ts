import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../libs/kernel/index.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Reader } from '../../platform/database/database.service.js';
import { acrossProjects, LONG_MS, longStatement, statement } from '../../platform/database/statement.js';
import type { Window } from './metric-window.js';

const DAY_MS = 86_400_000;

/** A project with changes after $1, found by skipping through the index. */
const nextProject = acrossProjects(
  'metrics.next_customer_changes',
  `SELECT c.project_id AS "projectId" FROM metric_customer_changes c WHERE c.project_id > $1
     AND ${isHere('c.project_id')}
   ORDER BY c.project_id LIMIT 1`,
  LONG_MS,
);

/** Deletes up to $2 changes of a project, and returns their sums by day. */
const take = longStatement(
  'metrics.take_customer_changes',
  `WITH taken AS (
     DELETE FROM metric_customer_changes c WHERE c.project_id = $1 AND c.id IN (
       SELECT id FROM metric_customer_changes WHERE project_id = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING c.day, c.first_seen, c.last_seen
   )
   SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(first_seen)::int AS "firstSeen", sum(last_seen)::int AS "lastSeen",
     count(*)::int AS count
   FROM taken GROUP BY day ORDER BY day`,
);

/** Adds sums ($3, $4) to days ($2), which are in order. */
const addToDays = statement(
  'metrics.add_to_customer_days',
  `INSERT INTO metric_customer_days AS d (project_id, day, first_seen, last_seen)
   SELECT a.project_id, r.day, r.first_seen, r.last_seen FROM project_anchors a
   CROSS JOIN unnest($2::date[], $3::int[], $4::int[]) AS r (day, first_seen, last_seen)
   WHERE a.project_id = $1 AND a.app_id = '' ORDER BY r.day
   ON CONFLICT (project_id, day) DO UPDATE SET first_seen = d.first_seen + excluded.first_seen,
     last_seen = d.last_seen + excluded.last_seen`,
);

/** The days of a project since $2, including changes that are not folded yet. */
const byDay = (figure: 'first_seen' | 'last_seen'): string => `
  SELECT m.day, sum(m.customers)::int AS customers FROM (
    SELECT day, ${figure} AS customers FROM metric_customer_days WHERE project_id = $1 AND day >= $2::date
    UNION ALL
    SELECT day, ${figure} FROM metric_customer_changes WHERE project_id = $1 AND day >= $2::date
  ) m GROUP BY m.day`;

/** $3 to $4 is the part of the window before its first whole day, $2. */
const newCustomers = statement(
  'metrics.new_customers',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, customers FROM (${byDay('first_seen')}) d
   UNION ALL
   SELECT to_char($3::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD'), count(*)::int FROM customers
   WHERE project_id = $1 AND first_seen_at >= $3 AND first_seen_at < $4`,
);

const lastSeenSince = statement(
  'metrics.last_seen_since',
  `SELECT coalesce(sum(d.customers), 0)::int AS customers FROM (${byDay('last_seen')}) d`,
);

interface DayChanges {
  day: string;
  firstSeen: number;
  lastSeen: number;
  count: number;
}

interface DayCount {
  day: string;
  customers: number;
}

/** Counts customers by first-seen and last-seen days, without reading each customer. */
@Injectable()
export class CustomerCountsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns customers first seen in a window that ends now, by day. */
  async newCustomers(snapshot: Reader, projectId: string, { fromMs }: Window): Promise<Map<string, number>> {
    const firstWholeDayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS;
    const rows = await snapshot.query<DayCount>(newCustomers, [
      projectId,
      utcDay(firstWholeDayMs),
      new Date(fromMs),
      new Date(firstWholeDayMs),
    ]);
    return new Map(
      rows.filter(({ customers }) => customers > 0).map(({ day, customers }) => [day, customers]),
    );
  }

  /** Counts customers last seen since the start of the UTC day of `sinceMs`. */
  async lastSeenSince(snapshot: Reader, projectId: string, sinceMs: number): Promise<number> {
    const rows = await snapshot.query<{ customers: number }>(lastSeenSince, [projectId, utcDay(sinceMs)]);
    return rows[0]?.customers ?? 0;
  }

  async nextProject(projectId: string): Promise<string | null> {
    return (await this.database.query<{ projectId: string }>(nextProject, [projectId]))[0]?.projectId ?? null;
  }

  /** Returns the number of folded changes. Safe to run in any number of processes. */
  async fold(projectId: string, limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const days = await tx.query<DayChanges>(take, [projectId, limit]);
      if (days.length === 0) return 0;
      const columns = (['day', 'firstSeen', 'lastSeen'] as const).map((name) => days.map((row) => row[name]));
      await tx.query(addToDays, [projectId, ...columns]);
      return days.reduce((sum, { count }) => sum + count, 0);
    });
  }
}
