import { statement } from '../../../platform/database/statement.js';

const amounts = ['trials', 'overlap_trials', 'actives', 'overlap_actives', 'monthly', 'overlap_monthly']
  .concat(['monthly_fraction', 'revenue', 'transactions'])
  .join(', ');

/**
 * Rows `r` of all changes until now. Days until $5 have sums, except $6; the others are read from facts, as ranges $7 to
 * $8.
 */
const changes = `r AS MATERIALIZED (
     SELECT day, rate_day, ${amounts} FROM chart_days
     WHERE project_id = $1 AND environment = $2 AND level = 'all' AND day <= $5::date AND NOT day = ANY ($6::date[])
     UNION ALL
     SELECT (f.at AT TIME ZONE 'UTC')::date, f.rate_day, ${amounts}
     FROM unnest($7::timestamptz[], $8::timestamptz[]) o (starts_at, ends_at)
     JOIN chart_facts f ON f.project_id = $1 AND f.environment = $2 AND f.at >= o.starts_at AND f.at < o.ends_at
   )`;

const sum = (...columns: string[]): string =>
  `coalesce(sum(${columns.map((column) => `coalesce(r.${column}, 0)`).join(' + ')}), 0)`;

/**
 * Selects the changes of each day since $3, and before it as a day of null; and money by the day of its purchase ($4:
 * first such day), because refunds count on that day.
 */
function daysSql(rate: string, rates: string): string {
  const money = (...columns: string[]): string =>
    `coalesce(sum((${columns.map((column) => `coalesce(r.${column}, 0)`).join(' + ')})${rate}), 0)::text`;
  return `WITH ${changes}
   SELECT to_char(CASE WHEN r.day >= $3::date THEN r.day END, 'YYYY-MM-DD') AS day, false AS "isMoney",
     ${sum('trials', 'overlap_trials')}::int AS trials, ${sum('actives', 'overlap_actives')}::int AS subscriptions,
     ${money('monthly', 'overlap_monthly')} AS monthly, ${money('monthly_fraction')} AS fraction,
     '0' AS revenue, 0 AS transactions
   FROM r ${rates} GROUP BY 1
   UNION ALL
   SELECT to_char(r.rate_day, 'YYYY-MM-DD'), true, 0, 0, '0', '0', ${money('revenue')}, ${sum('transactions')}::int
   FROM r ${rates} WHERE r.rate_day >= $4::date GROUP BY 1`;
}

export const keyFigures = statement('charts.key_figures', daysSql('', ''));

/** $9 and $10 are the days of rates, without gaps, and the units per USD. */
export const convertedKeyFigures = statement(
  'charts.converted_key_figures',
  daysSql(
    ' * coalesce(x.rate, 0)::numeric',
    `LEFT JOIN unnest($9::date[], $10::float8[]) x (day, rate) ON x.day = greatest(r.rate_day, ($9::date[])[1])`,
  ),
);

/** Money of purchases from $3 until before $4, on the UTC day $5, including refunds until $6. */
export const moneyOfPurchases = statement(
  'charts.money_of_purchases',
  `SELECT coalesce(sum(f.revenue), 0)::float8 AS revenue, coalesce(sum(f.transactions), 0)::int AS transactions
   FROM chart_facts o JOIN chart_facts f ON f.project_id = $1 AND f.customer_id = o.customer_id
     AND f.purchase_id = o.purchase_id
     AND regexp_replace(f.fact_key, '[^|]*$', '') = regexp_replace(o.fact_key, '[^|]*$', '')
   WHERE o.project_id = $1 AND o.environment = $2 AND o.at >= $3 AND o.at < $4 AND o.rate_day = $5::date
     AND right(o.fact_key, 2) = '|o' AND f.at <= $6`,
);

const ofProducts = 'trials, overlap_trials, actives, overlap_actives, transactions';

/** Active subscriptions and transactions by product. Days until $3 have sums, except $4; the others are ranges of facts, $5 to $6. */
export const figuresByProduct = statement(
  'charts.figures_by_product',
  `SELECT k.app_id AS "appId", k.product_id AS "productId",
     ${sum('trials', 'overlap_trials', 'actives', 'overlap_actives')}::int AS active,
     ${sum('transactions')}::int AS transactions,
     (extract(epoch FROM min(r.day) FILTER (WHERE r.transactions > 0)) * 1000)::bigint AS "sinceMs"
   FROM (
     SELECT dims_id, day, ${ofProducts} FROM chart_days
     WHERE project_id = $1 AND environment = $2 AND level = 'coarse' AND day <= $3::date AND NOT day = ANY ($4::date[])
     UNION ALL
     SELECT f.dims_id, (f.at AT TIME ZONE 'UTC')::date, ${ofProducts}
     FROM unnest($5::timestamptz[], $6::timestamptz[]) o (starts_at, ends_at)
     JOIN chart_facts f ON f.project_id = $1 AND f.environment = $2 AND f.at >= o.starts_at AND f.at < o.ends_at
   ) r JOIN chart_dims k ON k.project_id = $1 AND k.id = r.dims_id
   GROUP BY 1, 2`,
);
