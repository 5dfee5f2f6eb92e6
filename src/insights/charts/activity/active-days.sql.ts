import { epochMs } from '../../../platform/database/epoch-ms.js';
import { longStatement, type Statement, statement } from '../../../platform/database/statement.js';

/** The gap of a customer who was never active before. */
const NO_GAP = 32_767;
/** Pieces of customers that one statement sums. */
const PIECES = 50;

/** Columns of customers by level. */
const columns = { customer_country: 'first_seen_country', platform: 'first_seen_platform' } as const;

export type ActivityLevel = 'all' | keyof typeof columns;

export const activityLevels: readonly ActivityLevel[] = ['all', 'customer_country', 'platform'];

/** Steps from one marked day to the next, because a day can have many marks. */
export const markedDays = `WITH RECURSIVE marked AS (
       (SELECT m.day FROM chart_active_marks m WHERE m.project_id = $1 ORDER BY m.day DESC LIMIT 1)
       UNION ALL
       SELECT (SELECT m.day FROM chart_active_marks m WHERE m.project_id = $1 AND m.day < p.day
         ORDER BY m.day DESC LIMIT 1) FROM marked p WHERE p.day IS NOT NULL
     )`;

export const findState = statement(
  'charts.active_days_state',
  `SELECT to_char(c.active_days_from, 'YYYY-MM-DD') AS "from", to_char(c.active_days_until, 'YYYY-MM-DD') AS until,
     to_char(c.active_today, 'YYYY-MM-DD') AS today, ${epochMs('c.active_today_at')} AS "todayAtMs",
     c.customers::float8, ARRAY(${markedDays}
       SELECT to_char(d.day, 'YYYY-MM-DD') FROM marked d WHERE d.day IS NOT NULL ORDER BY d.day) AS marked
   FROM chart_projects c WHERE c.project_id = $1`,
);

/** Sums are stored from $2 until $3 from now on. */
export const moveDays = statement(
  'charts.move_active_days',
  'UPDATE chart_projects SET active_days_from = $2, active_days_until = $3 WHERE project_id = $1',
);

/** The days from $2 to $3 that have active customers, and $3. Steps from day to day. */
export const endedDays = longStatement(
  'charts.ended_active_days',
  `WITH RECURSIVE active AS (
     (SELECT s.day FROM customer_days s WHERE s.project_id = $1 AND s.day >= $2::date ORDER BY s.day LIMIT 1)
     UNION ALL
     SELECT (SELECT s.day FROM customer_days s WHERE s.project_id = $1 AND s.day > a.day ORDER BY s.day LIMIT 1)
     FROM active a WHERE a.day < $3::date
   )
   SELECT to_char(e.day, 'YYYY-MM-DD') AS day FROM (
     SELECT a.day FROM active a WHERE a.day <= $3::date UNION SELECT $3::date) e`,
);

export const deleteBefore = longStatement(
  'charts.delete_old_active_days',
  'DELETE FROM chart_active_days WHERE project_id = $1 AND level = ANY ($2::text[]) AND day < $3::date',
);

/**
 * Marked days that are due at $2, newest first: at least one, and more while they have at most $3 active customers in
 * total.
 */
export const dueDays = statement(
  'charts.due_active_days',
  `SELECT to_char(r.day, 'YYYY-MM-DD') AS day FROM (
     SELECT d.day, row_number() OVER (ORDER BY d.day DESC) AS place, sum(n.customers) OVER (ORDER BY d.day DESC) AS customers
     FROM (${markedDays} SELECT a.day FROM marked a WHERE EXISTS (
         SELECT 1 FROM chart_active_marks m WHERE m.project_id = $1 AND m.day = a.day AND (m.due_at IS NULL OR m.due_at <= $2))
       ORDER BY a.day DESC LIMIT $4) d
     CROSS JOIN LATERAL (SELECT count(*) AS customers FROM customer_days s WHERE s.project_id = $1 AND s.day = d.day) n
   ) r WHERE r.place = 1 OR r.customers <= $3 ORDER BY r.day DESC`,
);

/** Runs before the days are summed: later changes add marks of their own. */
export const takeMarks = statement(
  'charts.take_active_marks',
  `DELETE FROM chart_active_marks WHERE project_id = $1 AND day = ANY ($2::date[]) AND (due_at IS NULL OR due_at <= $3)`,
);

export const deleteDays = statement(
  'charts.delete_active_days',
  'DELETE FROM chart_active_days WHERE project_id = $1 AND level = ANY ($2::text[]) AND day = ANY ($3::date[])',
);

/** First customers of all pieces but the first. Each has about a million customers. */
export const pieceStarts = statement(
  'charts.active_day_pieces',
  `SELECT p.id FROM (SELECT from_customer_id AS id, row_number() OVER (ORDER BY from_customer_id) AS place
     FROM chart_pieces WHERE project_id = $1) p
   WHERE p.place % ${PIECES} = 0 ORDER BY p.id`,
);

const valueOf = (level: keyof typeof columns): string => `coalesce(c.${columns[level]}, '')`;

/** Sums the active customers of some days at all levels. `OFFSET 0` forces an index scan per day. */
const summed = (days: string, condition: string): string =>
  `SELECT n.project_id, n.level, md5(n.value)::uuid AS value_hash, n.day, n.gap, n.value, n.customers FROM (
     SELECT a.project_id, a.day, a.gap, count(*)::int AS customers,
       CASE WHEN grouping(a.country) = 0 THEN 'customer_country' WHEN grouping(a.platform) = 0 THEN 'platform'
         ELSE 'all' END AS level,
       CASE WHEN grouping(a.country) = 0 THEN a.country WHEN grouping(a.platform) = 0 THEN a.platform ELSE '' END AS value
     FROM (
       SELECT s.project_id, s.day, coalesce(s.day - (SELECT max(p.day) FROM customer_days p
           WHERE p.project_id = $1 AND p.customer_id = s.customer_id AND p.day < s.day), ${NO_GAP})::smallint AS gap,
         ${valueOf('customer_country')} AS country, ${valueOf('platform')} AS platform
       FROM unnest(${days}) g (day)
       CROSS JOIN LATERAL (
         SELECT d.project_id, d.customer_id, d.day FROM customer_days d WHERE d.project_id = $1 AND d.day = g.day OFFSET 0) s
       JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id
       WHERE ${condition}
     ) a GROUP BY a.project_id, a.day, a.gap, GROUPING SETS ((), (a.country), (a.platform))
   ) n`;

/** Adds the active customers of days $2, of the piece from $3 to $4. */
export const sumDays = longStatement(
  'charts.sum_active_days',
  `INSERT INTO chart_active_days AS t (project_id, level, value_hash, day, gap, value, customers)
   ${summed('$2::date[]', '($3::text IS NULL OR s.customer_id >= $3) AND ($4::text IS NULL OR s.customer_id < $4)')}
   ON CONFLICT (project_id, level, value_hash, day, gap) DO UPDATE SET customers = t.customers + excluded.customers`,
);

/** Counts the active customers of a day, up to $3. */
export const countDay = statement(
  'charts.count_active_day',
  `SELECT count(*)::int AS customers FROM (
     SELECT 1 FROM customer_days WHERE project_id = $1 AND day = $2::date LIMIT $3) s`,
);

export const setToday = statement(
  'charts.set_active_today',
  'UPDATE chart_projects SET active_today = $2::date, active_today_at = $3 WHERE project_id = $1',
);

/** The sums of an ended day replace those from before its end. */
export const endToday = statement(
  'charts.end_active_today',
  'UPDATE chart_projects SET active_today = NULL WHERE project_id = $1 AND active_today = ANY ($2::date[])',
);

/** $2 random days with sums. */
export const sampleDays = statement(
  'charts.active_days_to_check',
  `SELECT to_char(d.day, 'YYYY-MM-DD') AS day FROM (
     SELECT DISTINCT a.day FROM chart_active_days a WHERE a.project_id = $1 AND a.level = 'all') d
   JOIN chart_projects c ON c.project_id = $1 AND d.day >= c.active_days_from AND d.day <= c.active_days_until
   WHERE NOT EXISTS (SELECT 1 FROM chart_active_marks m WHERE m.project_id = $1 AND m.day = d.day)
   ORDER BY random() LIMIT $2`,
);

/** Gaps that reach before $4 are equal, because earlier days may be deleted. */
const hashOf = (rows: string): string =>
  `(SELECT coalesce(md5(string_agg(d::text, ',' ORDER BY d::text)), '') FROM (
     SELECT a.level, a.value, CASE WHEN a.day - a.gap < $4::date THEN ${NO_GAP} ELSE a.gap END AS gap, sum(a.customers)
     FROM (${rows}) a GROUP BY 1, 2, 3) d)`;

/** Whether the sums of day $3 are what its customers are. A day that is marked is not compared. */
export const isRight = longStatement(
  'charts.active_day_is_right',
  `SELECT EXISTS (SELECT 1 FROM chart_active_marks m WHERE m.project_id = $1 AND m.day = $3::date)
     OR ${hashOf('SELECT * FROM chart_active_days t WHERE t.project_id = $1 AND t.level = ANY ($2::text[]) AND t.day = $3::date')}
       = ${hashOf(summed('ARRAY[$3::date]', 'true'))} AS "isRight"`,
);

/** The day is summed when it is due, at once if $3 is null. */
export const markDay = statement(
  'charts.mark_active_day',
  'INSERT INTO chart_active_marks (project_id, day, due_at) VALUES ($1, $2, $3)',
);

/**
 * Counts the customers who were active in each range ($2: its number, $3 to $4: its days), by value of a level. A customer
 * is counted on the first active day in the range: the day whose previous active day is before the range. $5: days whose
 * sums are not used; $6: values, if there is a filter.
 */
export function activeCustomers(
  level: ActivityLevel,
  { hasSegments, hasFilter }: { hasSegments: boolean; hasFilter: boolean },
): Statement {
  const value = level === 'all' ? 'NULL::text' : valueOf(level);
  const filter = hasFilter ? ` AND ${value} = ANY ($6::text[])` : '';
  const customers =
    level === 'all' ? '' : `JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id${filter}`;
  return {
    name: 'charts.active_customers_of_days',
    unnamed: true,
    text: `WITH r AS (SELECT * FROM unnest($2::int[], $3::date[], $4::date[]) AS r (place, first, last))
     SELECT r.place, ${hasSegments ? 'a.value' : 'NULL::text'} AS seg, sum(a.customers)::float8 AS customers
     FROM r JOIN chart_active_days a ON a.project_id = $1 AND a.level = '${level}' AND a.day >= r.first AND a.day <= r.last
     WHERE a.gap > a.day - r.first AND NOT (a.day = ANY ($5::date[]))
       ${hasFilter ? 'AND a.value_hash IN (SELECT md5(v)::uuid FROM unnest($6::text[]) v)' : ''} GROUP BY 1, 2
     UNION ALL
     SELECT r.place, ${hasSegments ? value : 'NULL::text'} AS seg, count(*)::float8 AS customers
     FROM unnest($5::date[]) o (day) JOIN r ON o.day >= r.first AND o.day <= r.last
     CROSS JOIN LATERAL (
       SELECT d.customer_id, d.day FROM customer_days d WHERE d.project_id = $1 AND d.day = o.day OFFSET 0) s ${customers}
     WHERE NOT EXISTS (SELECT 1 FROM customer_days p WHERE p.project_id = $1 AND p.customer_id = s.customer_id
       AND p.day >= r.first AND p.day < s.day) GROUP BY 1, 2`,
  };
}

/** The same from the days of each customer. */
export const distinctCustomers = statement(
  'charts.active_customers_of_ranges',
  `SELECT r.place, NULL AS seg, count(DISTINCT s.customer_id)::float8 AS customers
   FROM unnest($2::int[], $3::date[], $4::date[]) AS r (place, first, last)
   JOIN customer_days s ON s.project_id = $1 AND s.day >= r.first AND s.day <= r.last GROUP BY 1`,
);
