import { longStatement, statement } from '../../../platform/database/statement.js';
import { windows } from '../definitions/windows.js';
import { BY_CONVERSION, BY_PAYMENT } from './cohort-counts.js';

/** The first window after the cohort day that contains a day. */
function windowSql(day: string, cohortDay: string): string {
  const cases = windows.slice(0, -1).map(({ days, months }, index) => {
    const last =
      days === null ? `(${cohortDay} + interval '${months} months')::date` : `${cohortDay} + ${days}`;
    return `WHEN ${day} <= ${last} THEN ${index}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${windows.length - 1} END`;
}

const countsSql = `SELECT 'any' AS environment, cohort_day, 0 AS time_window,
     count(*)::int AS customers, 0 AS converts, 0 AS pays
   FROM chart_customers WHERE project_id = $1 GROUP BY cohort_day
   UNION ALL
   SELECT p.environment, p.cohort_day, w, 0, sum(p.converts >> w & 1)::int, sum(p.pays >> w & 1)::int
   FROM (SELECT customer_id, environment, cohort_day, bit_or(converts) AS converts, bit_or(pays) AS pays
     FROM chart_payers WHERE project_id = $1 GROUP BY 1, 2, 3) p
   CROSS JOIN generate_series(0, ${windows.length - 1}) w
   WHERE p.converts >> w & 1 = 1 OR p.pays >> w & 1 = 1
   GROUP BY p.environment, p.cohort_day, w
   UNION ALL
   SELECT b.environment, f.day, f.time_window, count(*)::int, 0, 0
   FROM (SELECT * FROM chart_buyers WHERE project_id = $1) b
   CROSS JOIN LATERAL (VALUES (${BY_CONVERSION}, b.first_conversion_day), (${BY_PAYMENT}, b.first_paying_day))
     AS f (time_window, day)
   WHERE f.day IS NOT NULL GROUP BY 1, 2, 3`;

const moneySql = `SELECT f.environment, f.cohort_day, f.time_window, f.rate_day,
     sum(f.revenue)::bigint AS revenue
   FROM (SELECT r.environment, c.cohort_day, r.rate_day, r.revenue,
       ${windowSql(`(r.at AT TIME ZONE 'UTC')::date`, 'c.cohort_day')} AS time_window
     FROM (SELECT customer_id, cohort_day FROM chart_customers WHERE project_id = $1) c
     JOIN chart_facts r ON r.project_id = $1 AND r.customer_id = c.customer_id AND r.revenue IS NOT NULL) f
   GROUP BY f.environment, f.cohort_day, f.time_window, f.rate_day HAVING sum(f.revenue) <> 0`;

/** $2 and the following are column arrays of differences. */
export const addCohortCounts = statement(
  'charts.add_cohort_counts',
  `INSERT INTO chart_cohort_counts AS t (project_id, environment, cohort_day, time_window, customers, converts, pays)
   SELECT c.project_id, r.* FROM chart_projects c
   CROSS JOIN unnest($2::text[], $3::date[], $4::smallint[], $5::int[], $6::int[], $7::int[])
     AS r (environment, cohort_day, time_window, customers, converts, pays) WHERE c.project_id = $1
   ON CONFLICT (project_id, environment, cohort_day, time_window) DO UPDATE SET
     customers = t.customers + excluded.customers, converts = t.converts + excluded.converts, pays = t.pays + excluded.pays`,
);

export const addCohortMoney = statement(
  'charts.add_cohort_money',
  `INSERT INTO chart_cohort_money AS t (project_id, environment, cohort_day, time_window, rate_day, revenue)
   SELECT c.project_id, r.* FROM chart_projects c
   CROSS JOIN unnest($2::text[], $3::date[], $4::smallint[], $5::date[], $6::bigint[])
     AS r (environment, cohort_day, time_window, rate_day, revenue) WHERE c.project_id = $1
   ON CONFLICT (project_id, environment, cohort_day, time_window, rate_day) DO UPDATE SET
     revenue = t.revenue + excluded.revenue`,
);

export const deleteEmptyCohortCounts = statement(
  'charts.delete_empty_cohort_counts',
  `DELETE FROM chart_cohort_counts WHERE project_id = $1 AND environment = ANY ('{any,production,sandbox}')
     AND cohort_day = ANY($2::date[]) AND customers = 0 AND converts = 0 AND pays = 0`,
);

export const deleteEmptyCohortMoney = statement(
  'charts.delete_empty_cohort_money',
  `DELETE FROM chart_cohort_money t
   USING unnest($2::text[], $3::date[], $4::smallint[], $5::date[]) AS r (environment, cohort_day, time_window, rate_day)
   WHERE t.project_id = $1 AND t.environment = r.environment AND t.cohort_day = r.cohort_day
     AND t.time_window = r.time_window AND t.rate_day = r.rate_day AND t.revenue = 0`,
);

export const deleteCohortCounts = longStatement(
  'charts.delete_cohort_counts',
  'DELETE FROM chart_cohort_counts WHERE project_id = $1',
);

export const deleteCohortMoney = longStatement(
  'charts.delete_cohort_money',
  'DELETE FROM chart_cohort_money WHERE project_id = $1',
);

/** Sums over all customers. */
export const sumCohortCounts = longStatement(
  'charts.sum_cohort_counts',
  `INSERT INTO chart_cohort_counts (project_id, environment, cohort_day, time_window, customers, converts, pays)
   SELECT c.project_id, n.* FROM chart_projects c CROSS JOIN (${countsSql}) n WHERE c.project_id = $1`,
);

export const sumCohortMoney = longStatement(
  'charts.sum_cohort_money',
  `INSERT INTO chart_cohort_money (project_id, environment, cohort_day, time_window, rate_day, revenue)
   SELECT c.project_id, n.* FROM chart_projects c CROSS JOIN (${moneySql}) n WHERE c.project_id = $1`,
);

export const haveCohorts = statement(
  'charts.have_cohorts',
  'UPDATE chart_projects SET has_cohorts = true WHERE project_id = $1',
);
