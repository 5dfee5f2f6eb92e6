import { longStatement } from '../../../platform/database/statement.js';
import {
  allColumns,
  customerColumns,
  type DimensionColumn,
  isCustomerColumn,
  type Level,
  levels,
  purchaseColumns,
} from '../definitions/dimensions.js';
import { amountColumns } from '../facts/chart-facts.js';
import { noDims } from '../facts/dims.js';

const SEPARATOR = 'chr(31)';

/** Computes the same id as `dimsId` does in the server. Null if the level has no columns. */
function idOf(level: Level, columnOf: (column: DimensionColumn) => string): string {
  const parts = [`'${level.id}'`, ...level.columns.map(columnOf)];
  return `md5(concat_ws(${SEPARATOR}, ${parts.join(', ')}))::uuid`;
}

const own = (column: DimensionColumn): string => `f.${column}`;
const ofPeer = (column: DimensionColumn): string =>
  isCustomerColumn(column) ? `f.${column}` : `f.peer_${column}`;

function peerOf(level: Level): string {
  const telling = level.columns.filter((column) => !isCustomerColumn(column));
  if (telling.length === 0) return `'${noDims}'::uuid`;
  const same = telling.map((column) => `${ofPeer(column)} = ${own(column)}`).join(' AND ');
  return `CASE WHEN f.peer_dims_id IS NULL OR (${same}) THEN '${noDims}'::uuid ELSE ${idOf(level, ofPeer)} END`;
}

const sums = amountColumns.map((column) => `nullif(sum(f.${column}), 0)`).join(', ');

function summed(level: Level): string {
  const keys = level.columns.map(own);
  return `SELECT f.environment, '${level.id}', ${idOf(level, own)}, f.day, f.rate_day, f.move, ${peerOf(level)}, ${sums}
    FROM f GROUP BY ${['f.environment', 'f.day', ...keys, 'f.rate_day', 'f.move', peerOf(level)].join(', ')}`;
}

const usedColumns = allColumns.filter((column) => levels.some(({ columns }) => columns.includes(column)));

/** Facts of some days (environments $2, days $3). `OFFSET 0` forces an index scan per day. */
const factsOfDays = `unnest($2::text[], $3::date[]) AS g (environment, day)
     CROSS JOIN LATERAL (
       SELECT * FROM chart_facts a WHERE a.project_id = $1 AND a.environment = g.environment
         AND a.at >= g.day::timestamp AT TIME ZONE 'UTC' AND a.at < (g.day + 1)::timestamp AT TIME ZONE 'UTC' OFFSET 0
     ) f`;

/** Hashes ids after DISTINCT, because there are few combinations. */
function combinations(level: Level): string {
  const values = allColumns.map((column) => (level.columns.includes(column) ? `f.${column}` : 'NULL::text'));
  const distinct = level.columns.length === 0 ? '1' : level.columns.map((column) => `o.${column}`).join(', ');
  return `SELECT ${idOf(level, own)}, '${level.id}', ${values.join(', ')}
    FROM (SELECT DISTINCT ${distinct} FROM occurring o) f`;
}

/** Names the combinations of values that the sums of some days have, at every level. */
export const insertDimsOfDays = longStatement(
  'charts.insert_dims_of_days',
  `INSERT INTO chart_dims (project_id, id, level, ${allColumns.join(', ')})
   SELECT c.project_id, n.* FROM chart_projects c CROSS JOIN (
     WITH occurring AS MATERIALIZED (
       SELECT DISTINCT ${usedColumns.map((column) => `${isCustomerColumn(column) ? 'c' : 'p'}.${column}`).join(', ')}
       FROM (SELECT DISTINCT k.dims_id, f.customer_dims_id
         FROM ${factsOfDays} CROSS JOIN LATERAL (VALUES (f.dims_id), (f.peer_dims_id)) AS k (dims_id)) f
       JOIN chart_dims p ON p.project_id = $1 AND p.id = f.dims_id
       JOIN chart_dims c ON c.project_id = $1 AND c.id = f.customer_dims_id
     )
     ${levels.map(combinations).join(' UNION ALL ')}
   ) n WHERE c.project_id = $1
   ON CONFLICT (project_id, id) DO NOTHING`,
);

/** Sums some days at every level. */
export const sumDays = longStatement(
  'charts.sum_days',
  `INSERT INTO chart_days (project_id, environment, level, dims_id, day, rate_day, move, peer_dims_id,
     ${amountColumns.join(', ')})
   SELECT c.project_id, n.* FROM chart_projects c CROSS JOIN (
     WITH f AS MATERIALIZED (
       SELECT f.environment, g.day, f.rate_day, f.move, f.peer_dims_id, ${amountColumns.map((column) => `f.${column}`).join(', ')},
         ${purchaseColumns.map((column) => `p.${column}, q.${column} AS peer_${column}`).join(', ')},
         ${customerColumns.map((column) => `c.${column}`).join(', ')}
       FROM ${factsOfDays}
       JOIN chart_dims p ON p.project_id = $1 AND p.id = f.dims_id
       JOIN chart_dims c ON c.project_id = $1 AND c.id = f.customer_dims_id
       LEFT JOIN chart_dims q ON q.project_id = $1 AND q.id = f.peer_dims_id
     )
     ${levels.map(summed).join(' UNION ALL ')}
   ) n WHERE c.project_id = $1`,
);
