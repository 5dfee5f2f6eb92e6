import { utcDay, utcDayMs, utcDays } from '../../../../libs/kernel/index.js';
import { isAttributeColumn } from '../definitions/attribute-dimensions.js';
import { type DimensionColumn, isCustomerColumn, type Level, levelOf } from '../definitions/dimensions.js';
import {
  type Figure,
  figureSql,
  isAmount,
  isMoney,
  isMove,
  type RevenueType,
} from '../definitions/figures.js';
import { bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { amountColumns } from '../facts/chart-facts.js';
import { noDims } from '../facts/dims.js';
import type { StoredDays } from '../rollup/chart-rollup.repository.js';
import type { Rates } from './chart-rates.service.js';
import { dimensionSql } from './dimension-sql.js';
import { inPiece, type Piece } from './pieces.js';
import { type Query, SqlValues } from './sql-values.js';

const DAY_MS = 86_400_000;

export type FactFigure = Figure & (Parameters<typeof figureSql>[0] | 'pending_trials');

interface Parts {
  question: ChartQuestion;
  segment: DimensionColumn | null;
  values: SqlValues;
  project: string;
  environment: string;
}

/** Conditions on rows `k` of `chart_dims`, for the filters whose columns they have. */
export function dimsConditions(
  { filters }: Pick<ChartQuestion, 'filters'>,
  values: SqlValues,
  belongs: (column: DimensionColumn) => boolean = () => true,
): string[] {
  return filters
    .filter(({ dimension }) => belongs(dimension.column))
    .map(
      ({ dimension, values: allowed }) =>
        `${dimensionSql('k', dimension.column, values)} = ANY (${values.add(allowed)}::text[])`,
    );
}

function keys(parts: Parts, level: string, belongs: (column: DimensionColumn) => boolean): string {
  const { question, segment, values, project } = parts;
  const seg = segment !== null && belongs(segment) ? dimensionSql('k', segment, values) : 'NULL::text';
  const where = dimsConditions(question, values, belongs).map((condition) => ` AND ${condition}`);
  return `SELECT k.id, ${seg} AS seg FROM chart_dims k
    WHERE k.project_id = ${project} AND k.level = '${level}'${where.join('')}`;
}

const prefixed = (alias: string): string => amountColumns.map((column) => `${alias}.${column}`).join(', ');

/**
 * If filters include only one of the two periods of a change, it is an expansion for the later one and a contraction
 * for the earlier one.
 */
const moveOf = (alias: string, peer: string): string =>
  `CASE WHEN ${peer} THEN ${alias}.move WHEN ${alias}.move IN (3, 5, 6) THEN 3 ELSE 5 END`;

function closedRows(parts: Parts, level: Level, days: StoredDays, from: string | null, to: string): string {
  const { values, project, environment } = parts;
  return `SELECT d.day, d.rate_day, ${moveOf(
    'd',
    `d.peer_dims_id = '${noDims}'::uuid OR EXISTS (
        SELECT 1 FROM keys q WHERE q.id = d.peer_dims_id)`,
  )} AS move, k.seg, ${prefixed('d')}
    FROM keys k JOIN chart_days d ON d.dims_id = k.id
    WHERE d.project_id = ${project} AND d.environment = ${environment} AND d.level = '${level.id}'
      AND d.day <= least(${to}, ${values.add(days.closedUntil)}::date)
      ${from === null ? '' : `AND d.day >= ${from}`}
      ${days.dirty.length === 0 ? '' : `AND NOT (d.day = ANY (${values.add(days.dirty)}::date[]))`}`;
}

function factRows({ project, environment, values, question }: Parts, range: string): string {
  const peer = 'f.peer_dims_id IS NULL OR EXISTS (SELECT 1 FROM purchases q WHERE q.id = f.peer_dims_id)';
  return `SELECT (f.at AT TIME ZONE 'UTC')::date AS day, f.rate_day, ${moveOf('f', peer)} AS move,
      coalesce(p.seg, c.seg) AS seg, ${prefixed('f')}
    FROM ${range}
    JOIN purchases p ON p.id = f.dims_id JOIN customers c ON c.id = f.customer_dims_id
    WHERE f.project_id = ${project} AND f.environment = ${environment}
      AND f.at <= ${values.add(new Date(question.nowMs))}::timestamptz`;
}

const inDay = (day: string): string =>
  `f.at >= ${day}::timestamp AT TIME ZONE 'UTC' AND f.at < (${day} + 1)::timestamp AT TIME ZONE 'UTC'`;

/** Returns the days up to `to` that are not stored. The newest is today. */
export function openDays(days: Pick<StoredDays, 'dirty'>, closedUntil: string, toMs: number): string[] {
  return [...days.dirty, ...utcDays(utcDayMs(closedUntil) + DAY_MS, toMs)];
}

function rows(parts: Parts, days: StoredDays, level: Level | null, hasStock: boolean, piece: Piece): string {
  const { question, values, project, environment } = parts;
  const toMs = Math.min(question.endMs, question.nowMs);
  const to = `${values.add(utcDay(toMs))}::date`;
  const from = hasStock ? null : `${values.add(utcDay(question.startMs))}::date`;
  const within = `f.at < (${to} + 1)::timestamp AT TIME ZONE 'UTC'${
    from === null ? '' : ` AND f.at >= ${from}::timestamp AT TIME ZONE 'UTC'`
  }`;
  const inside = `${within} ${inPiece(values, piece, 'f')}`;
  if (level === null || days.closedUntil === null) return `${factRows(parts, 'chart_facts f')} AND ${inside}`;
  const open = openDays(days, days.closedUntil, toMs);
  const range = `unnest(${values.add(open)}::date[]) o (day)
    JOIN chart_facts f ON f.project_id = ${project} AND f.environment = ${environment} AND ${inDay('o.day')}`;
  return `${closedRows(parts, level, days, from, to)} UNION ALL ${factRows(parts, range)} AND ${inside}`;
}

function figure(name: FactFigure, revenueType: RevenueType, converts: boolean): string {
  if (!isAmount(name) && !isMove(name)) return `0 AS ${name}`;
  const value = figureSql(name, revenueType);
  const times = converts && isMoney(name) ? ' * coalesce(x.rate, 0)' : '';
  return `coalesce(sum((${value})${times}), 0)::float8 AS ${name}`;
}

/** Rates by day as rows `x`, joined to the rate day of rows `r`. */
export function ratesSql(values: SqlValues, rates: Rates | null): string {
  if (rates === null) return '';
  return `LEFT JOIN unnest(${values.add(rates.days)}::date[], ${values.add(rates.rates)}::float8[]) x0 (day, rate)
      ON x0.day = greatest(r.rate_day, ${values.add(rates.days[0])}::date)
    CROSS JOIN LATERAL (SELECT x0.rate::numeric AS rate) x`;
}

function storedLevel(
  { filters }: ChartQuestion,
  segment: DimensionColumn | null,
  { closedUntil }: StoredDays,
): Level | null {
  const needed = [...filters.map(({ dimension }) => dimension.column), ...(segment ? [segment] : [])];
  return closedUntil === null ? null : levelOf(needed);
}

/** Whether the sums of closed days answer a question. Otherwise all facts are read. */
export function hasStoredSums(
  question: ChartQuestion,
  segment: DimensionColumn | null,
  days: StoredDays,
): boolean {
  return storedLevel(question, segment, days) !== null;
}

/**
 * Sums facts by bucket and segment. The bucket null contains everything before the range, which only states need. Reads
 * the smallest stored level that has all dimensions, or facts if no level has them.
 */
export function seriesQuery(
  question: ChartQuestion,
  segment: DimensionColumn | null,
  figures: { flows: readonly FactFigure[]; stocks: readonly FactFigure[] },
  days: StoredDays,
  rates: Rates | null,
  piece: Piece,
): Query {
  const values = new SqlValues();
  const project = `${values.add(question.projectId)}`;
  const environment = `${values.add(question.environment)}`;
  const parts: Parts = { question, segment, values, project, environment };
  const level = storedLevel(question, segment, days);
  const names = [...new Set([...figures.flows, ...figures.stocks])];
  const hasStock = figures.stocks.length > 0;
  const start = `${values.add(utcDay(question.startMs))}::date`;
  const bucket = bucketSql('r.day', question.calendar);
  const revenueType = (question.selected.revenue_type ?? 'revenue') as RevenueType;
  const selected = names.map((name) => figure(name, revenueType, rates !== null));
  const known = (column: DimensionColumn): boolean => !isAttributeColumn(column);
  const text = `WITH ${level === null ? '' : `keys AS MATERIALIZED (${keys(parts, level.id, known)}),`}
    purchases AS MATERIALIZED (${keys(parts, 'purchase', (column) => !isCustomerColumn(column))}),
    customers AS MATERIALIZED (${keys(parts, 'customer', isCustomerColumn)}),
    r AS (${rows(parts, days, level, hasStock, piece)})
    SELECT to_char(CASE WHEN r.day >= ${start} THEN ${bucket} END, 'YYYY-MM-DD') AS bucket, r.seg,
      ${selected.join(', ')}
    FROM r ${ratesSql(values, rates)} GROUP BY 1, 2`;
  return { statement: { name: 'charts.series', text, unnamed: true }, values: values.list };
}

/** Running trials that were not paid in advance, by the bucket in which they started. */
export function pendingTrialsQuery(
  question: ChartQuestion,
  segment: DimensionColumn | null,
  piece: Piece,
): Query {
  const values = new SqlValues();
  const project = `${values.add(question.projectId)}`;
  const environment = `${values.add(question.environment)}`;
  const parts: Parts = { question, segment, values, project, environment };
  const text = `WITH purchases AS MATERIALIZED (${keys(parts, 'purchase', (column) => !isCustomerColumn(column))}),
    customers AS MATERIALIZED (${keys(parts, 'customer', isCustomerColumn)})
    SELECT to_char(${bucketSql('f.rate_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
      coalesce(p.seg, c.seg) AS seg, -sum(f.trials)::float8 AS pending_trials
    FROM chart_facts f JOIN purchases p ON p.id = f.dims_id JOIN customers c ON c.id = f.customer_dims_id
    WHERE f.project_id = ${project} AND f.environment = ${environment}
      AND f.at > ${values.add(new Date(question.nowMs))}::timestamptz AND f.trials < 0
      AND f.rate_day >= ${values.add(utcDay(question.startMs))}::date
      AND f.rate_day <= ${values.add(utcDay(question.endMs))}::date
      AND NOT EXISTS (SELECT 1 FROM chart_facts b WHERE b.project_id = ${project} AND b.customer_id = f.customer_id
        AND b.purchase_id = f.purchase_id AND b.fact_key = regexp_replace(f.fact_key, 'e$', 'o')
        AND b.trials_converted > 0 ${inPiece(values, piece, 'b')})
      ${inPiece(values, piece, 'f')}
    GROUP BY 1, 2`;
  return { statement: { name: 'charts.pending_trials', text, unnamed: true }, values: values.list };
}
