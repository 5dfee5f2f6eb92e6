import { longStatement, type Statement, statement } from '../../../platform/database/statement.js';
import { windows } from '../definitions/windows.js';
import { type CohortLevel, cohortLevels, isOfCustomers } from './cohort-levels.js';

const environments = `'{any,production,sandbox}'`;
const perWindow = (element: (window: number) => string): string =>
  `ARRAY[${windows.map((_, window) => element(window)).join(', ')}]`;
const key = 'environment, level, set_hash, cohort_day';
const amounts = ['converts', 'pays', 'revenue'] as const;
const hashSql = (values: string): string => `md5(array_to_string(${values}, chr(31)))::uuid`;

/** The dimensions of combinations $2. */
export const dimsOf = statement(
  'charts.cohort_dims',
  `SELECT id, ${cohortLevels.map((level) => `coalesce(${level}, '') AS ${level}`).join(', ')}
   FROM chart_dims WHERE project_id = $1 AND id = ANY($2::uuid[])`,
);

/** The purchases of customers $2. */
export const storedSales = statement(
  'charts.stored_sales',
  `SELECT customer_id AS "customerId", environment, dims_id AS "dimsId", converts, pays, revenue::float8[] AS revenue
   FROM chart_payers WHERE project_id = $1 AND customer_id = ANY($2::text[])`,
);

/** $2 and the following are column arrays of differences; arrays in them are texts. */
export const addCohortSums = statement(
  'charts.add_cohort_sums',
  `INSERT INTO chart_cohort_sums AS t (project_id, ${key}, values, customers, converts, pays, revenue)
   SELECT c.project_id, r.environment, r.level, r.set_hash, r.cohort_day, r.members::text[], r.customers,
     r.converts::int[], r.pays::int[], r.revenue::bigint[]
   FROM chart_projects c
   CROSS JOIN unnest($2::text[], $3::text[], $4::uuid[], $5::date[], $6::text[], $7::int[], $8::text[], $9::text[], $10::text[])
     AS r (environment, level, set_hash, cohort_day, members, customers, converts, pays, revenue)
   WHERE c.project_id = $1
   ON CONFLICT (project_id, ${key}) DO UPDATE SET customers = t.customers + excluded.customers,
     ${amounts
       .map(
         (column) =>
           `${column} = ${perWindow((window) => `t.${column}[${window + 1}] + excluded.${column}[${window + 1}]`)}`,
       )
       .join(', ')}`,
);

/** $2 to $5 are keys. */
export const deleteEmptyCohortSums = statement(
  'charts.delete_empty_cohort_sums',
  `DELETE FROM chart_cohort_sums t
   USING unnest($2::text[], $3::text[], $4::uuid[], $5::date[]) AS r (environment, level, set_hash, cohort_day)
   WHERE t.project_id = $1 AND t.environment = r.environment AND t.level = r.level AND t.set_hash = r.set_hash
     AND t.cohort_day = r.cohort_day AND t.customers = 0
     AND ${amounts.map((column) => `0 = ALL (t.${column})`).join(' AND ')}`,
);

const sumOf = (column: string): string => perWindow((window) => `sum((${column} >> ${window}) & 1)`);

/**
 * The sums of all customers, or of the cohort of `day`. Customers who bought with several values have a set for each
 * window.
 */
function summedSql(level: CohortLevel, day: string | null): string {
  const ofPayers =
    day === null ? '' : `AND p.environment = ANY ('{production,sandbox}') AND p.cohort_day = ${day}`;
  const ofCustomers = day === null ? '' : `AND c.cohort_day = ${day}`;
  const dims = isOfCustomers(level) ? 'customer_dims_id' : 'dims_id';
  const zeros = perWindow(() => '0::bigint');
  const noRevenue = perWindow(() => '0::numeric');
  const revenue = perWindow((window) => `sum(p.revenue[${window + 1}])`);
  const ofSeveral = (column: string): string =>
    `SELECT s.environment, s.cohort_day, array_agg(s.value ORDER BY s.value COLLATE "C"), 0,
         ${amounts
           .map((other) => (other === column ? '1 << w' : '0'))
           .slice(0, 2)
           .join(', ')}
       FROM sales s CROSS JOIN generate_series(0, ${windows.length - 1}) w
       WHERE s.size > 1 AND (s.${column} >> w) & 1 = 1 GROUP BY s.environment, s.cohort_day, s.customer_id, w`;
  const customers = `SELECT 'any', c.cohort_day, ARRAY[coalesce(k.${level}, '')], count(*), ${zeros}, ${zeros}, ${noRevenue}
     FROM chart_customers c JOIN chart_dims k ON k.project_id = $1 AND k.id = c.customer_dims_id
     WHERE c.project_id = $1 ${ofCustomers} GROUP BY 2, 3`;
  return `WITH bought AS MATERIALIZED (
     SELECT p.environment, p.cohort_day, p.customer_id, coalesce(k.${level}, '') AS value,
       bit_or(p.converts) AS converts, bit_or(p.pays) AS pays
     FROM chart_payers p JOIN chart_dims k ON k.project_id = $1 AND k.id = p.${dims}
     WHERE p.project_id = $1 ${ofPayers} GROUP BY 1, 2, 3, 4
   ), sales AS MATERIALIZED (
     SELECT b.*, count(*) OVER (PARTITION BY b.environment, b.customer_id) AS size FROM bought b
   ), parts AS (
     SELECT n.environment, n.cohort_day, n.values, sum(n.customers) AS customers,
       ${sumOf('n.converts')} AS converts, ${sumOf('n.pays')} AS pays, ${noRevenue} AS revenue
     FROM (
       SELECT s.environment, s.cohort_day, ARRAY[s.value] AS values, 1 AS customers,
         CASE WHEN s.size = 1 THEN s.converts ELSE 0 END AS converts, CASE WHEN s.size = 1 THEN s.pays ELSE 0 END AS pays
       FROM sales s
       UNION ALL ${ofSeveral('converts')}
       UNION ALL ${ofSeveral('pays')}
     ) n GROUP BY 1, 2, 3
     UNION ALL
     SELECT p.environment, p.cohort_day, ARRAY[coalesce(k.${level}, '')], 0, ${zeros}, ${zeros}, ${revenue}
     FROM chart_payers p JOIN chart_dims k ON k.project_id = $1 AND k.id = p.${dims}
     WHERE p.project_id = $1 ${ofPayers} GROUP BY 1, 2, 3
     ${isOfCustomers(level) ? `UNION ALL ${customers}` : ''}
   )
   SELECT r.environment, '${level}' AS level, ${hashSql('r.values')} AS set_hash, r.cohort_day,
     r.values, sum(r.customers)::int AS customers,
     ${amounts.map((column) => `${perWindow((window) => `sum(r.${column}[${window + 1}])`)}::${column === 'revenue' ? 'bigint' : 'int'}[] AS ${column}`).join(', ')}
   FROM parts r GROUP BY r.environment, r.cohort_day, r.values`;
}

const forEachLevel = (build: (level: CohortLevel) => Statement): Readonly<Record<CohortLevel, Statement>> =>
  Object.fromEntries(cohortLevels.map((level) => [level, build(level)])) as Record<CohortLevel, Statement>;

/** Sums a level over all customers. */
export const fillLevel = forEachLevel((level) =>
  longStatement(
    `charts.fill_cohort_sums_${level}`,
    `INSERT INTO chart_cohort_sums (project_id, ${key}, values, customers, converts, pays, revenue)
     SELECT c.project_id, s.* FROM chart_projects c CROSS JOIN (${summedSql(level, null)}) s WHERE c.project_id = $1`,
  ),
);

export const deleteLevel = longStatement(
  'charts.delete_cohort_sums',
  `DELETE FROM chart_cohort_sums WHERE project_id = $1 AND level = $2 AND environment = ANY (${environments})`,
);

/** Levels with more than $2 different sets of values. */
export const largeLevels = longStatement(
  'charts.large_cohort_levels',
  `SELECT s.level FROM (SELECT DISTINCT t.level, t.set_hash FROM chart_cohort_sums t
     WHERE t.project_id = $1 AND t.environment = ANY (${environments})) s
   GROUP BY s.level HAVING count(*) > $2`,
);

/** Levels $2 are stored, levels $3 are to be filled. */
export const setLevels = statement(
  'charts.set_cohort_levels',
  'UPDATE chart_projects SET cohort_levels = $2, missing_cohort_levels = $3 WHERE project_id = $1',
);

export const storedCohorts = statement(
  'charts.stored_cohorts',
  `SELECT has_cohorts AS "hasCohorts", cohort_levels AS levels, missing_cohort_levels AS missing
   FROM chart_projects WHERE project_id = $1`,
);

/** A random first day of customers. */
export const sampleCohortDay = statement(
  'charts.cohort_day_to_check',
  `SELECT to_char(n.cohort_day, 'YYYY-MM-DD') AS day FROM chart_cohort_counts n
   WHERE n.project_id = $1 AND n.environment = 'any' ORDER BY random() LIMIT 1`,
);

const hashOf = (rows: string): string =>
  `(SELECT coalesce(md5(string_agg(d::text, ',' ORDER BY d::text)), '') FROM (${rows}) d)`;

/** Whether the sums of cohort day $2 are what its customers are. */
export const levelIsRight = forEachLevel((level) =>
  longStatement(
    `charts.cohort_sums_are_right_${level}`,
    `SELECT ${hashOf(`SELECT ${key}, t.values, t.customers, t.converts, t.pays, t.revenue FROM chart_cohort_sums t
       WHERE t.project_id = $1 AND t.level = '${level}' AND t.environment = ANY (${environments})
         AND t.cohort_day = $2::date`)}
     = ${hashOf(summedSql(level, '$2::date'))} AS "isRight"`,
  ),
);
