import { epochMs } from '../../../platform/database/epoch-ms.js';
import { longStatement, statement } from '../../../platform/database/statement.js';
import { customerColumns, purchaseColumns } from '../definitions/dimensions.js';
import { amountColumns, moneyColumns } from '../facts/chart-facts.js';

const at = (column: string): string => `to_timestamp(r."${column}" / 1000.0)`;
const dayOf = (column: string): string => `(${at(column)} AT TIME ZONE 'UTC')::date`;
const amountType = (column: (typeof amountColumns)[number]): string =>
  moneyColumns.includes(column) ? 'bigint' : 'int';

export const storedFacts = statement(
  'charts.stored_facts',
  `SELECT customer_id AS "customerId", purchase_id AS "purchaseId", fact_key AS "factKey", environment,
     ${epochMs('at')} AS "atMs", to_char(rate_day, 'YYYY-MM-DD') AS "rateDay", dims_id AS "dimsId",
     customer_dims_id AS "customerDimsId", peer_dims_id AS "peerDimsId", run, move, ${amountColumns.join(', ')}
   FROM chart_facts WHERE project_id = $1 AND customer_id = ANY($2::text[])`,
);

/** $2 to $4 are customers, purchases and keys. */
export const deleteFacts = statement(
  'charts.delete_facts',
  `DELETE FROM chart_facts f USING unnest($2::text[], $3::text[], $4::text[]) AS g (customer_id, purchase_id, fact_key)
   WHERE f.project_id = $1 AND f.customer_id = g.customer_id AND f.purchase_id = g.purchase_id
     AND f.fact_key = g.fact_key`,
);

const factColumns = [
  ['customer_id', 'text'],
  ['purchase_id', 'text'],
  ['fact_key', 'text'],
  ['environment', 'text'],
  ['at', 'bigint'],
  ['rate_day', 'date'],
  ['dims_id', 'uuid'],
  ['customer_dims_id', 'uuid'],
  ['peer_dims_id', 'uuid'],
  ['run', 'int'],
  ['move', 'smallint'],
  ...amountColumns.map((column) => [column, amountType(column)] as const),
] as const;
const factNames = factColumns.map(([column]) => column).join(', ');

/** $2 and the following are column arrays. */
export const insertFacts = statement(
  'charts.insert_facts',
  `INSERT INTO chart_facts (project_id, ${factNames})
   SELECT c.project_id, ${factColumns.map(([column]) => (column === 'at' ? 'to_timestamp(r.at / 1000.0::float8)' : `r.${column}`)).join(', ')}
   FROM chart_projects c
   CROSS JOIN unnest(${factColumns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')}) AS r (${factNames})
   WHERE c.project_id = $1`,
);

const dimColumns = [...purchaseColumns, ...customerColumns];

export const insertDims = statement(
  'charts.insert_dims',
  `INSERT INTO chart_dims (project_id, id, level, attributes, ${dimColumns.join(', ')})
   SELECT c.project_id, r.id, r.level, r.attributes, ${dimColumns.map((column) => `r.${column}`).join(', ')}
   FROM chart_projects c
   CROSS JOIN json_to_recordset($2::json) AS r(id uuid, level text, attributes jsonb, ${dimColumns.map((column) => `${column} text`).join(', ')})
   WHERE c.project_id = $1 ORDER BY r.id ON CONFLICT (project_id, id) DO NOTHING`,
);

/** $2 contains the days of changed facts. Only past days (until $3) are marked. */
export const markDays = statement(
  'charts.mark_days',
  `INSERT INTO chart_dirty_days (project_id, environment, day)
   SELECT DISTINCT c.project_id, r.environment, r.day
   FROM chart_projects c CROSS JOIN json_to_recordset($2::json) AS r(environment text, day date)
   WHERE c.project_id = $1 AND r.day <= $3::date ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
);

/** Replaces the rows of customers ($2) with $3. Unchanged rows are not written. */
function replacing(
  name: string,
  table: string,
  key: readonly string[],
  columns: readonly [column: string, field: string, type: string, value?: string][],
): { remove: ReturnType<typeof statement>; save: ReturnType<typeof statement> } {
  const record = columns.map(([, field, type]) => `"${field}" ${type}`).join(', ');
  const values = columns.map(([, field, , value]) => value ?? `r."${field}"`).join(', ');
  const names = columns.map(([column]) => column);
  const rest = names.filter((column) => !key.includes(column));
  const keyFields = columns.filter(([column]) => key.includes(column));
  return {
    remove: statement(
      `charts.remove_${name}`,
      `DELETE FROM ${table} t WHERE t.project_id = $1 AND t.customer_id = ANY($2::text[]) AND NOT EXISTS (
         SELECT 1 FROM json_to_recordset($3::json) AS r(${record})
         WHERE ${keyFields.map(([column, field]) => `r."${field}" = t.${column}`).join(' AND ')})`,
    ),
    save: statement(
      `charts.save_${name}`,
      `INSERT INTO ${table} AS t (project_id, ${names.join(', ')})
       SELECT c.project_id, ${values} FROM chart_projects c CROSS JOIN json_to_recordset($2::json) AS r(${record})
       WHERE c.project_id = $1
       ON CONFLICT (project_id, ${key.join(', ')}) DO UPDATE SET
         ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}
       WHERE (${rest.map((column) => `t.${column}`).join(', ')}) IS DISTINCT FROM
         (${rest.map((column) => `excluded.${column}`).join(', ')})`,
    ),
  };
}

const customerId = ['customer_id', 'customerId', 'text'] as const;
const environment = ['environment', 'environment', 'text'] as const;
const customerDims = ['customer_dims_id', 'customerDimsId', 'uuid'] as const;
const cohortDay = ['cohort_day', 'cohortDayMs', 'bigint', dayOf('cohortDayMs')] as const;

export const customerRows = replacing(
  'customers',
  'chart_customers',
  ['customer_id'],
  [[...customerId], [...cohortDay], [...customerDims], ['sandbox_dims_id', 'sandboxDimsId', 'uuid']],
);

export const buyerRows = replacing(
  'buyers',
  'chart_buyers',
  ['customer_id', 'environment'],
  [
    [...customerId],
    [...environment],
    [...customerDims],
    ['first_conversion_day', 'firstConversionDayMs', 'bigint', dayOf('firstConversionDayMs')],
    ['first_paying_day', 'firstPayingDayMs', 'bigint', dayOf('firstPayingDayMs')],
  ],
);

export const payerRows = replacing(
  'payers',
  'chart_payers',
  ['customer_id', 'environment', 'dims_id'],
  [
    [...customerId],
    [...environment],
    ['dims_id', 'dimsId', 'uuid'],
    [...customerDims],
    [...cohortDay],
    ['converts', 'converts', 'int'],
    ['pays', 'pays', 'int'],
    ['revenue', 'revenue', 'bigint[]'],
  ],
);

export const runRows = replacing(
  'runs',
  'chart_runs',
  ['customer_id', 'purchase_id', 'run'],
  [
    [...customerId],
    ['purchase_id', 'purchaseId', 'text'],
    ['run', 'run', 'int'],
    [...environment],
    [...customerDims],
    ['dims_id', 'dimsId', 'uuid'],
    ['starts_at', 'startsAtMs', 'bigint', at('startsAtMs')],
    ['paid_until', 'paidUntilMs', 'bigint', at('paidUntilMs')],
    ['ends_at', 'endsAtMs', 'bigint', at('endsAtMs')],
    ['is_trial', 'isTrial', 'boolean'],
    ['is_renewing', 'isRenewing', 'boolean'],
    ['in_retry', 'inRetry', 'boolean'],
    ['rate_day', 'rateDay', 'date'],
    ['monthly', 'monthly', 'bigint'],
    ['last_payment', 'lastPayment', 'bigint'],
    ['cohort_dims_id', 'cohortDimsId', 'uuid'],
    ['cohort_at', 'cohortAtMs', 'bigint', at('cohortAtMs')],
    ['retained', 'retained', 'bigint'],
    ['payments', 'payments', 'int'],
  ],
);

/** Stores days until $2 from now on. Does not move backwards: returns whether it moved. */
export const closeDays = statement(
  'charts.close_days',
  `UPDATE chart_projects SET closed_until = $2::date
   WHERE project_id = $1 AND (closed_until IS NULL OR closed_until < $2::date) RETURNING project_id`,
);

/** New days are dirty until they are summed. */
export const markClosedDays = longStatement(
  'charts.mark_closed_days',
  `INSERT INTO chart_dirty_days (project_id, environment, day)
   SELECT DISTINCT f.project_id, f.environment, (f.at AT TIME ZONE 'UTC')::date FROM chart_facts f
   WHERE f.project_id = $1 AND f.environment = ANY ('{production,sandbox}') AND f.at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
     AND ($3::date IS NULL OR f.at >= ($3::date + 1)::timestamp AT TIME ZONE 'UTC')
   ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
);

/** Up to $2 days, newest first: at least one, and more while they have at most $3 facts in total. */
export const dirtyDays = statement(
  'charts.dirty_days',
  `SELECT environment, to_char(day, 'YYYY-MM-DD') AS day FROM (
     SELECT d.environment, d.day, sum(n.facts) OVER (ORDER BY d.day DESC, d.environment) AS facts,
       row_number() OVER (ORDER BY d.day DESC, d.environment) AS place
     FROM (SELECT environment, day FROM chart_dirty_days WHERE project_id = $1
       ORDER BY day DESC, environment LIMIT $2) d
     CROSS JOIN LATERAL (SELECT count(*) AS facts FROM chart_facts f
       WHERE f.project_id = $1 AND f.environment = d.environment
         AND f.at >= d.day::timestamp AT TIME ZONE 'UTC' AND f.at < (d.day + 1)::timestamp AT TIME ZONE 'UTC') n
   ) ranked WHERE place = 1 OR facts <= $3 ORDER BY day DESC, environment`,
);

export const cleanDays = statement(
  'charts.clean_days',
  `DELETE FROM chart_dirty_days d USING unnest($2::text[], $3::date[]) AS g (environment, day)
   WHERE d.project_id = $1 AND d.environment = g.environment AND d.day = g.day`,
);

export const deleteDays = statement(
  'charts.delete_days',
  `DELETE FROM chart_days d USING unnest($2::text[], $3::date[]) AS g (environment, day)
   WHERE d.project_id = $1 AND d.environment = g.environment AND d.day = g.day AND d.level = ANY($4::text[])`,
);

export const storedDays = statement(
  'charts.stored_days',
  `SELECT to_char(c.closed_until, 'YYYY-MM-DD') AS "closedUntil",
     c.has_cohorts AND c.has_cohort_days AND c.has_exact_facts AS "hasCohortDays",
     ARRAY(SELECT to_char(d.day, 'YYYY-MM-DD') FROM chart_dirty_days d
       WHERE d.project_id = $1 AND d.environment = $2 ORDER BY d.day) AS dirty
   FROM chart_projects c WHERE c.project_id = $1`,
);
