import { longStatement, statement } from '../../../platform/database/statement.js';

const month = (day: string): string => `(date_part('year', ${day}) * 12 + date_part('month', ${day}))::int`;
const ofMonth = (day: string): string => `date_part('day', ${day})::int`;
const lastOfMonth = (day: string): string =>
  `date_part('day', date_trunc('month', ${day}::timestamp) + interval '1 month - 1 day')::int`;

/** Whole months between two days. A month starts on the same day of the next one, or on its last day if that is earlier. */
const monthsSql = (from: string, to: string): string =>
  `(${month(to)} - ${month(from)} - (${ofMonth(to)} < least(${ofMonth(from)}, ${lastOfMonth(to)}))::int)`;

/**
 * Facts of some days (environments $2, days $3) by the first days of their customers. `OFFSET 0` forces index scans by
 * day and customer, whatever the statistics.
 */
const summedSql = `SELECT f.project_id, f.environment, k.kind, k.cohort_day, f.day, f.rate_day,
     sum(f.revenue) AS revenue, sum(f.tax) AS tax, sum(f.commission) AS commission, sum(f.actives) AS actives
   FROM unnest($2::text[], $3::date[]) AS g (environment, day)
   CROSS JOIN LATERAL (
     SELECT a.project_id, a.environment, g.day, a.customer_id, a.rate_day, coalesce(a.revenue, 0) AS revenue,
       coalesce(a.tax, 0) AS tax, coalesce(a.commission, 0) AS commission, coalesce(a.actives, 0) AS actives
     FROM chart_facts a WHERE a.project_id = $1 AND a.environment = g.environment
       AND a.at >= g.day::timestamp AT TIME ZONE 'UTC' AND a.at < (g.day + 1)::timestamp AT TIME ZONE 'UTC'
       AND (a.revenue IS NOT NULL OR a.actives IS NOT NULL) OFFSET 0
   ) f
   CROSS JOIN LATERAL (
     SELECT 'c' AS kind, c.cohort_day FROM chart_customers c WHERE c.project_id = $1 AND c.customer_id = f.customer_id
     UNION ALL
     SELECT b.kind, b.day FROM (
       SELECT * FROM chart_buyers m WHERE m.project_id = $1 AND m.customer_id = f.customer_id
         AND m.environment = f.environment OFFSET 0) s
     CROSS JOIN LATERAL (VALUES ('i', s.first_conversion_day), ('p', s.first_paying_day)) AS b (kind, day)
     WHERE b.day IS NOT NULL
   ) k
   GROUP BY 1, 2, 3, 4, 5, 6`;

/** Sums some days (environments $2, days $3). */
export const sumCohortDays = longStatement(
  'charts.sum_cohort_days',
  `INSERT INTO chart_cohort_days
     (project_id, environment, kind, cohort_day, day, rate_day, months, revenue, tax, commission, actives)
   SELECT s.project_id, s.environment, s.kind, s.cohort_day, s.day, s.rate_day, ${monthsSql('s.cohort_day', 's.day')},
     s.revenue, s.tax, s.commission, s.actives
   FROM (${summedSql}) s
   WHERE s.revenue <> 0 OR s.tax <> 0 OR s.commission <> 0 OR s.actives <> 0`,
);

export const deleteCohortDays = statement(
  'charts.delete_cohort_days',
  `DELETE FROM chart_cohort_days d USING unnest($2::text[], $3::date[]) AS g (environment, day)
   WHERE d.project_id = $1 AND d.environment = g.environment AND d.day = g.day`,
);

/** The first days of customers $2. */
export const customerStarts = statement(
  'charts.customer_starts',
  `SELECT customer_id AS "customerId", 'any' AS environment, to_char(cohort_day, 'YYYY-MM-DD') AS first,
     NULL AS "firstPaying", customer_dims_id AS "customerDimsId"
   FROM chart_customers WHERE project_id = $1 AND customer_id = ANY($2::text[])
   UNION ALL
   SELECT customer_id, environment, to_char(first_conversion_day, 'YYYY-MM-DD'),
     to_char(first_paying_day, 'YYYY-MM-DD'), NULL
   FROM chart_buyers WHERE project_id = $1 AND customer_id = ANY($2::text[])`,
);

export const haveCohortDays = statement(
  'charts.have_cohort_days',
  'UPDATE chart_projects SET has_cohort_days = true WHERE project_id = $1',
);

/** A hash of the rows of a day ($3). */
export const cohortDayHash = statement(
  'charts.cohort_day_hash',
  `SELECT coalesce(md5(string_agg(d::text, ',' ORDER BY d::text)), '') AS sums FROM chart_cohort_days d
   WHERE d.project_id = $1 AND d.environment = $2 AND d.day = $3::date`,
);
