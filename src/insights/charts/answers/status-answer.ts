import type { Measure, SeriesChart, TableChart } from '../definitions/chart.model.js';
import { isCustomerColumn } from '../definitions/dimensions.js';
import type { Figure } from '../definitions/figures.js';
import { count, money, stock } from '../definitions/measures.js';
import { statusMeasure } from '../definitions/selectors.js';
import { bucketOf } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { Rates } from './chart-rates.service.js';
import { SegmentSums } from './chart-sums.js';
import { dimensionSql } from './dimension-sql.js';
import { largest, totalSegment } from './segments.js';
import { inPiece, type Piece, type PieceReader } from './pieces.js';
import { dimsConditions, ratesSql } from './series-query.js';
import type { NamedSums } from './series-values.js';
import { type Query, SqlValues } from './sql-values.js';

interface Row {
  seg: string | null;
  renewing: number;
  cancelling: number;
  issues: number;
}

const DAY_MS = 86_400_000;
const MONTHS = 12;

/** Reuses figures of series charts, which have another meaning in this snapshot. */
const parts = ['trials_new', 'trials_converted', 'transactions'] as const satisfies readonly Figure[];

const amounts: Record<string, { sql: string; unit: '#' | '$'; isTrial: boolean }> = {
  active_subscriptions: { sql: '1', unit: '#', isTrial: false },
  active_trials: { sql: '1', unit: '#', isTrial: true },
  mrr: { sql: 'r.monthly', unit: '$', isTrial: false },
  arr: { sql: `${MONTHS} * r.monthly`, unit: '$', isTrial: false },
  subscription_revenue: { sql: 'r.last_payment', unit: '$', isTrial: false },
};

function queryOf(question: ChartQuestion, rates: Rates | null, piece: Piece): Query {
  const values = new SqlValues();
  const project = values.add(question.projectId);
  const now = `${values.add(new Date(question.nowMs))}::timestamptz`;
  const { segment, selected } = question;
  const column = segment === null || typeof segment === 'string' ? null : segment.column;
  const month = `coalesce(to_char(r.ends_at AT TIME ZONE 'UTC', 'YYYY-MM'), '')`;
  const seg =
    segment === 'expiration_month'
      ? month
      : column === null
        ? 'NULL::text'
        : dimensionSql(isCustomerColumn(column) ? 'c' : 'p', column, values);
  const conditions = (customers: boolean): string =>
    dimsConditions(question, values, (name) => isCustomerColumn(name) === customers)
      .map((condition) => ` AND ${condition}`)
      .join('');
  const { sql, unit, isTrial } = amounts[selected.measure ?? ''] ?? { sql: '1', unit: '#', isTrial: false };
  const converts = unit === '$' && rates !== null;
  const amount = converts ? `(${sql}) * coalesce(x.rate, 0)` : sql;
  const isIssue = `(r.paid_until <= ${now})`;
  const sum = (condition: string): string =>
    `coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)::float8`;
  const environment = values.add(question.environment);
  // If the next period is paid in advance, the current period is read from the facts.
  const text = `WITH p AS MATERIALIZED (SELECT k.* FROM chart_dims k
      WHERE k.project_id = ${project} AND k.level = 'purchase'${conditions(false)}),
    c AS MATERIALIZED (SELECT k.* FROM chart_dims k
      WHERE k.project_id = ${project} AND k.level = 'customer'${conditions(true)}),
    r AS (
      SELECT s.dims_id, s.customer_dims_id, s.rate_day, s.monthly, s.last_payment, s.is_trial, s.is_renewing,
        s.paid_until, s.ends_at
      FROM chart_runs s WHERE s.project_id = ${project} AND s.environment = ${environment}
        AND s.starts_at <= ${now} AND (s.ends_at IS NULL OR s.ends_at > ${now}) ${inPiece(values, piece, 's')}
      UNION ALL
      SELECT f.dims_id, f.customer_dims_id, f.rate_day, coalesce(f.monthly, 0), coalesce(f.revenue, 0),
        f.trials IS NOT NULL, s.is_renewing, NULL, s.starts_at
      FROM chart_runs s CROSS JOIN LATERAL (
        SELECT b.* FROM chart_facts b WHERE b.project_id = ${project} AND b.customer_id = s.customer_id
          AND b.purchase_id = s.purchase_id AND b.run = s.run AND b.at <= ${now}
          AND (b.actives > 0 OR b.trials > 0) ${inPiece(values, piece, 'b')}
        ORDER BY b.at DESC LIMIT 1) f
      WHERE s.project_id = ${project} AND s.environment = ${environment} AND s.starts_at > ${now}
        ${inPiece(values, piece, 's')}
    )
    SELECT ${seg} AS seg, ${sum(`${isIssue} IS NOT TRUE AND r.is_renewing`)} AS renewing,
      ${sum(`${isIssue} IS NOT TRUE AND NOT r.is_renewing`)} AS cancelling, ${sum(isIssue)} AS issues
    FROM r JOIN p ON p.id = r.dims_id JOIN c ON c.id = r.customer_dims_id
      ${converts ? ratesSql(values, rates) : ''}
    WHERE r.is_trial = ${String(isTrial)}
    GROUP BY 1`;
  return { statement: { name: 'charts.status', text, unnamed: true }, values: values.list };
}

function measuresOf(question: ChartQuestion): readonly Measure[] {
  const id = question.selected.measure ?? '';
  const name = statusMeasure.options.find((option) => option.id === id)?.name ?? '';
  const make = amounts[id]?.unit === '$' ? money : count;
  const all = (sums: { flow: (figure: Figure) => number }): number =>
    parts.reduce((total, part) => total + sums.flow(part), 0);
  return [
    make('total', `Total ${name}`, 'Active now.', all),
    make('set_to_renew', 'Set to Renew', 'Will renew.', parts[0]),
    make('set_to_cancel', 'Set to Cancel', 'Will end.', parts[1]),
    make('billing_issue', 'Billing Issue', 'In a grace period.', parts[2]),
  ].map(stock);
}

/** The snapshot is a chart of one day: today. */
export function statusChart(chart: TableChart, question: ChartQuestion): SeriesChart {
  return {
    ...chart,
    table: 'series',
    time: 'stock',
    flows: parts,
    stocks: [],
    measures: () => measuresOf(question),
  };
}

export function questionOfToday(question: ChartQuestion): ChartQuestion {
  const today = Math.floor(question.nowMs / DAY_MS) * DAY_MS;
  return { ...question, startMs: today, endMs: today };
}

/** Sums active subscriptions and trials by renewal status. */
export async function sumStatus(
  reader: PieceReader,
  asked: ChartQuestion,
  rates: Rates | null,
): Promise<NamedSums[]> {
  const question = questionOfToday(asked);
  const bucket = bucketOf(question.startMs, question.calendar);
  const bySegment = new Map<string, SegmentSums>();
  const total = new SegmentSums();
  const add = ({ seg, ...row }: Row): void => {
    const sums = bySegment.get(seg ?? '') ?? new SegmentSums();
    bySegment.set(seg ?? '', sums);
    for (const [index, value] of [row.renewing, row.cancelling, row.issues].entries()) {
      const part = parts[index] ?? parts[0];
      sums.add(bucket, part, value);
      total.add(bucket, part, value);
    }
  };
  await reader.read(
    (piece) => queryOf(question, rates, piece),
    add,
    () => bySegment.size * parts.length,
  );
  const sizeOf = (sums: SegmentSums): number =>
    parts.reduce((size, part) => size + sums.flow(bucket, part), 0);
  const segments = question.segment === null ? [] : largest(bySegment, question, sizeOf);
  return [{ ...totalSegment, sums: total }, ...segments];
}
