import { utcDay } from '../../../../libs/kernel/index.js';
import { type DimensionColumn, isCustomerColumn } from '../definitions/dimensions.js';
import { figureSql, type RevenueType, type ViewFigure } from '../definitions/figures.js';
import { encounterDays, VIEW_DAYS } from '../definitions/paywall-charts.js';
import { bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { Rates } from './chart-rates.service.js';
import { dimensionSql } from './dimension-sql.js';
import { inPiece, type Piece } from './pieces.js';
import { dimsConditions, ratesSql } from './series-query.js';
import { type Query, SqlValues } from './sql-values.js';

/** Clocks of phones may be ahead of those of stores. */
const CLOCK_LEEWAY = `interval '5 minutes'`;

const isPurchaseColumn = (column: DimensionColumn): boolean =>
  column !== 'paywall' && !isCustomerColumn(column);

interface Context {
  question: ChartQuestion;
  values: SqlValues;
  project: string;
  environment: string;
}

interface DimsJoin {
  level: 'purchase' | 'customer';
  id: string;
  belongs: (column: DimensionColumn) => boolean;
  /** Also without a filter. */
  isNeeded: boolean;
}

/** Joins the combinations `k` that pass the filters; empty if all pass and no segment is needed. */
function dimsJoin(
  { question, values, project }: Context,
  { level, id, belongs, isNeeded }: DimsJoin,
): string {
  const conditions = dimsConditions(question, values, belongs);
  if (conditions.length === 0 && !isNeeded) return '';
  return `JOIN chart_dims k ON k.project_id = ${project} AND k.level = '${level}'
    AND k.id = ${id} ${conditions.map((condition) => `AND ${condition}`).join(' ')}`;
}

/** The day of a first view `w`, and the end of the time in which purchases count as its conversions. */
const VIEW_DAY = `(w.first_at AT TIME ZONE 'UTC')::date`;
const WINDOW_END = `(${VIEW_DAY} + ${VIEW_DAYS + 1})::timestamp AT TIME ZONE 'UTC'`;
const hasInitiated = `coalesce(w.initiated_at < ${WINDOW_END}, false)`;

/** Whether a viewer `w` counts. Their money is summed apart. */
const counts: Record<Exclude<ViewFigure, 'viewers_ltv'>, string> = {
  encounters: 'true',
  viewers: 'true',
  viewers_converting: 'w.converts',
  viewers_paying: 'w.pays',
  viewers_in_trial: 'w.tries',
  viewers_trial_converted: 'w.trial_pays',
  viewers_bounced: `NOT w.converts AND NOT ${hasInitiated}`,
  viewers_cancelled: `NOT w.converts AND ${hasInitiated}`,
};

/**
 * Figures of the customers of a piece by the paywalls that they saw. Views belong to app user ids, so customers who were
 * merged have the earliest view of both. Reads the rows of each viewer by their index: the number of viewers is unknown
 * to the planner.
 */
export function viewQuery(
  figures: readonly ViewFigure[],
  question: ChartQuestion,
  segment: DimensionColumn | null,
  rates: Rates | null,
  piece: Piece,
): Query {
  const values = new SqlValues();
  const project = values.add(question.projectId);
  const environment = values.add(question.environment);
  const context: Context = { question, values, project, environment };
  const ofCustomer = segment !== null && isCustomerColumn(segment);
  const customers = dimsJoin(context, {
    level: 'customer',
    id:
      question.environment === 'sandbox'
        ? 'coalesce(c.sandbox_dims_id, c.customer_dims_id)'
        : 'c.customer_dims_id',
    belongs: isCustomerColumn,
    isNeeded: ofCustomer,
  });
  const seg =
    segment === 'paywall' ? 'w.paywall' : ofCustomer ? dimensionSql('k', segment, values) : 'NULL::text';
  const isEncounter = figures.includes('encounters');
  const day = isEncounter ? 'c.cohort_day' : VIEW_DAY;
  const within = isEncounter
    ? `AND ${VIEW_DAY} <= c.cohort_day + ${values.add(encounterDays(question.selected))}::int`
    : '';
  const bucket = `to_char(${bucketSql('w.day', question.calendar)}, 'YYYY-MM-DD') AS bucket, w.seg`;
  const counted = figures.filter((figure) => figure !== 'viewers_ltv');
  const text = `WITH views AS MATERIALIZED (
      SELECT a.customer_id, ${segment === 'paywall' ? 'v.paywall_id' : `''::text`} AS paywall,
        min(v.first_at) AS first_at, min(v.initiated_at) AS initiated_at
      FROM customer_aliases a JOIN paywall_views v ON v.project_id = ${project} AND v.environment = ${environment}
        AND v.app_user_id = a.app_user_id ${paywallConditions(context)}
      WHERE a.project_id = ${project} ${inPiece(values, piece, 'a')} GROUP BY 1, 2
    ), viewers AS MATERIALIZED (
      SELECT w.customer_id, w.first_at, w.initiated_at, ${day} AS day, ${seg} AS seg ${isEncounter ? '' : ', o.*'}
      FROM views w CROSS JOIN LATERAL (
        SELECT b.cohort_day, b.customer_dims_id, b.sandbox_dims_id FROM chart_customers b
        WHERE b.project_id = ${project} AND b.customer_id = w.customer_id OFFSET 0) c
      ${customers} ${isEncounter ? '' : conversions(context)}
      WHERE ${day} >= ${values.add(utcDay(question.startMs))}::date
        AND ${day} <= ${values.add(utcDay(Math.min(question.endMs, question.nowMs)))}::date ${within}
    )
    SELECT ${bucket}, ${counted
      .map((figure) => `(count(*) FILTER (WHERE ${counts[figure]}))::float8 AS ${figure}`)
      .join(', ')} ${figures.includes('viewers_ltv') ? ', 0 AS viewers_ltv' : ''}
    FROM viewers w GROUP BY 1, 2
    ${figures.includes('viewers_ltv') ? money(context, rates, { bucket, counted }) : ''}`;
  return { statement: { name: 'charts.views', text, unnamed: true }, values: values.list };
}

function paywallConditions({ question, values }: Context): string {
  return question.filters
    .filter(({ dimension }) => dimension.column === 'paywall')
    .map(
      (filter) =>
        `AND ${filter.isNegated ? 'NOT ' : ''}v.paywall_id = ANY (${values.add(filter.values)}::text[])`,
    )
    .join(' ');
}

/**
 * The conversions of a viewer `w`: trials, the first payment of a subscription after each lapse or product change, and
 * one-time purchases.
 */
function conversions(context: Context): string {
  const { question, values, project, environment } = context;
  const purchases = dimsJoin(context, {
    level: 'purchase',
    id: 'f.dims_id',
    belongs: isPurchaseColumn,
    isNeeded: false,
  });
  return `CROSS JOIN LATERAL (
      SELECT count(*) > 0 AS converts, coalesce(bool_or(f.transactions > 0 OR f.trials_converted > 0), false) AS pays,
        coalesce(bool_or(f.trials_new > 0), false) AS tries,
        coalesce(bool_or(f.trials_converted > 0), false) AS trial_pays, array_agg(f.purchase_id) AS purchases
      FROM chart_facts f ${purchases}
      WHERE f.project_id = ${project} AND f.customer_id = w.customer_id AND f.environment = ${environment}
        AND f.at >= w.first_at - ${CLOCK_LEEWAY} AND f.at < ${WINDOW_END}
        AND f.at <= ${values.add(new Date(question.nowMs))}::timestamptz
        AND (f.trials_new > 0 OR f.non_subscription > 0 OR (f.transactions > 0 AND f.run IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM chart_facts e WHERE e.project_id = ${project} AND e.customer_id = f.customer_id
            AND e.purchase_id = f.purchase_id AND e.environment = f.environment AND e.run = f.run
            AND e.transactions > 0 AND (e.at, e.fact_key) < (f.at, f.fact_key))))) o`;
}

/** Everything paid for the conversions, as further rows with the same columns. */
function money(
  { question, values, project, environment }: Context,
  rates: Rates | null,
  { bucket, counted }: { bucket: string; counted: readonly ViewFigure[] },
): string {
  const revenue = figureSql('revenue', (question.selected.revenue_type ?? 'revenue') as RevenueType);
  return `UNION ALL
    SELECT ${bucket}, ${counted.map(() => '0').join(', ')},
      sum((${revenue})${rates === null ? '' : ' * coalesce(x.rate, 0)'})::float8
    FROM viewers w CROSS JOIN LATERAL (
      SELECT f.rate_day, f.revenue, f.tax, f.commission FROM chart_facts f
      WHERE f.project_id = ${project} AND f.customer_id = w.customer_id AND f.purchase_id = ANY (w.purchases)
        AND f.environment = ${environment} AND f.revenue IS NOT NULL
        AND f.at <= ${values.add(new Date(question.nowMs))}::timestamptz OFFSET 0) r
    ${ratesSql(values, rates)}
    WHERE w.converts GROUP BY 1, 2`;
}
