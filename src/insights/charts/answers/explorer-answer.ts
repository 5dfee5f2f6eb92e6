import { utcDay } from '../../../../libs/kernel/index.js';
import { isCustomerColumn } from '../definitions/dimensions.js';
import { cohortingDate } from '../definitions/selectors.js';
import { bucketsBetween, bucketSql, nextBucket } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { wireValue } from '../question/currencies.js';
import type { AnswerPeriod, TableAnswer, TableValue } from './answer.model.js';
import type { StoredDays } from '../rollup/chart-rollup.repository.js';
import type { Rates } from './chart-rates.service.js';
import { cohortSizesQuery, cohortValuesQuery, cohortDaysOf } from './cohort-days-query.js';
import { amountOf, calendarSql, columnSql, isStock, MAX_COLUMNS, steps } from './explorer-columns.js';
import { inPiece, type Piece, type PieceReader } from './pieces.js';
import { dimsConditions, ratesSql } from './series-query.js';
import { type Query, SqlValues } from './sql-values.js';

const DAY_MS = 86_400_000;
interface SizeRow {
  bucket: string;
  reach: number;
  members: number;
}

interface ValueRow {
  bucket: string;
  reach: number;
  col: number;
  value: number;
}

export interface ExplorerSums {
  form: 'explorer';
  sizes: SizeRow[];
  values: ValueRow[];
}

interface Context {
  values: SqlValues;
  project: string;
  members: string;
}

function membersOf(question: ChartQuestion, piece: Piece): Context {
  const values = new SqlValues();
  const project = values.add(question.projectId);
  const { cohorting_date: date } = question.selected;
  const range = (column: string): string =>
    `${column} >= ${values.add(utcDay(question.startMs))}::date AND
     ${column} <= ${values.add(utcDay(Math.min(question.endMs, question.nowMs)))}::date`;
  const conditions = dimsConditions(question, values, isCustomerColumn);
  const filter =
    conditions.length === 0
      ? ''
      : `AND m.customer_dims_id IN (SELECT k.id FROM chart_dims k WHERE k.project_id = ${project}
          AND k.level = 'customer' AND ${conditions.join(' AND ')})`;
  const column = date === 'initial_conversions' ? 'm.first_conversion_day' : 'm.first_paying_day';
  const source =
    date === 'new_customers'
      ? `SELECT m.customer_id, m.cohort_day AS day FROM chart_customers m
         WHERE m.project_id = ${project} AND ${range('m.cohort_day')} ${filter} ${inPiece(values, piece, 'm')}`
      : `SELECT m.customer_id, ${column} AS day FROM chart_buyers m
         WHERE m.project_id = ${project} AND m.environment = ${values.add(question.environment)}
           AND ${range(column)} ${filter} ${inPiece(values, piece, 'm')}`;
  const today = `${values.add(utcDay(question.nowMs))}::date`;
  const { calendar } = question;
  const members = `${calendarSql(question, values)}, members AS MATERIALIZED (
      SELECT s.customer_id, ${bucketSql('s.day', calendar)} AS bucket, k.*,
        ${columnSql('k', 't', calendar.resolution)} AS reach
      FROM (${source}) s JOIN calendar k ON k.day = s.day JOIN calendar t ON t.day = ${today})`;
  return { values, project, members };
}

function valuesQuery(question: ChartQuestion, rates: Rates | null, piece: Piece): Query {
  const { values, project, members } = membersOf(question, piece);
  const measure = question.selected.cohort_measure ?? '';
  const conditions = dimsConditions(question, values, (column) => !isCustomerColumn(column));
  const purchases =
    conditions.length === 0
      ? ''
      : `AND r.dims_id IN (SELECT k.id FROM chart_dims k WHERE k.project_id = ${project}
          AND k.level = 'purchase' AND ${conditions.join(' AND ')})`;
  const now = `${values.add(new Date(question.nowMs))}::timestamptz`;
  const renewing =
    measure === 'subscriptions_set_to_renew'
      ? `JOIN chart_runs u ON u.project_id = ${project} AND u.customer_id = r.customer_id
           AND u.purchase_id = r.purchase_id AND u.run = r.run AND u.is_renewing ${inPiece(values, piece, 'u')}
           AND (u.ends_at IS NULL OR u.ends_at > ${now}) AND (u.paid_until IS NULL OR u.paid_until > ${now})`
      : '';
  const converts = !isStock(measure) && rates !== null;
  const amount = amountOf(measure);
  // The calendar lacks days before the range. Such facts precede their customer's start day: greatest() ignores the null.
  const text = `WITH ${members}
    SELECT to_char(v.bucket, 'YYYY-MM-DD') AS bucket, v.reach, v.col, sum(v.value)::float8 AS value FROM (
      SELECT m.bucket, m.reach, ${columnSql('m', 'd', question.calendar.resolution)} AS col,
        (${amount})${converts ? ' * coalesce(x.rate, 0)' : ''} AS value
      FROM members m JOIN chart_facts r ON r.project_id = ${project} AND r.customer_id = m.customer_id
        LEFT JOIN calendar d ON d.day = (r.at AT TIME ZONE 'UTC')::date
        ${renewing} ${converts ? ratesSql(values, rates) : ''}
      WHERE r.environment = ${values.add(question.environment)} AND r.at <= ${now}
        AND ${isStock(measure) ? 'r.actives' : 'r.revenue'} IS NOT NULL ${inPiece(values, piece, 'r')} ${purchases}) v
    WHERE v.col < ${MAX_COLUMNS} GROUP BY 1, 2, 3`;
  return { statement: { name: 'charts.explorer', text, unnamed: true }, values: values.list };
}

function sizesQuery(question: ChartQuestion, piece: Piece): Query {
  const { values, members } = membersOf(question, piece);
  const text = `WITH ${members} SELECT to_char(bucket, 'YYYY-MM-DD') AS bucket, reach, count(*)::int AS members
    FROM members GROUP BY 1, 2`;
  return { statement: { name: 'charts.explorer_sizes', text, unnamed: true }, values: values.list };
}

interface Cohort {
  name: number | 'Total';
  sizes: SizeRow[];
  values: ValueRow[];
  /** Whether further members can join. */
  isGrowing: boolean;
}

function sum<Row>(rows: readonly Row[], valueOf: (row: Row) => number): number {
  return rows.reduce((total, row) => total + valueOf(row), 0);
}

/** Money is what was paid in the column. States are cumulative, over the members who have reached the column. */
function cellOf({ sizes, values }: Cohort, measure: string, column: number): number {
  if (isStock(measure)) {
    const rows = values.filter(({ col, reach }) => col <= column && reach >= column);
    return sum(rows, ({ value }) => value);
  }
  const isRealized = measure.startsWith('realized_ltv');
  const money = sum(
    values.filter(({ col }) => (isRealized ? col <= column : col === column)),
    ({ value }) => value,
  );
  const size = sum(sizes, ({ members }) => members);
  return measure === 'realized_ltv_per_customer' ? (size === 0 ? 0 : money / size) : money;
}

function rowOf(cohort: Cohort, question: ChartQuestion): TableValue[] {
  const measure = question.selected.cohort_measure ?? '';
  const unit = isStock(measure) ? '#' : '$';
  const { name, sizes, isGrowing } = cohort;
  const isOpen = (column: number): boolean => isGrowing || sizes.some((row) => row.reach <= column);
  const reach = sizes.reduce((most, row) => Math.max(most, row.reach), -1);
  const size = sum(sizes, ({ members }) => members);
  const row: TableValue[] = [{ cohort: name, period: 0, value: size, incomplete: isGrowing }];
  for (let column = 0; column <= Math.min(reach, MAX_COLUMNS - 1); column++) {
    const value = wireValue(cellOf(cohort, measure, column), unit, question.currency);
    row.push({ cohort: name, period: column + 1, value, incomplete: isOpen(column) });
  }
  return row;
}

/** Adds up rows of the same bucket, reach and column. */
function sumRows<Row extends SizeRow | ValueRow>(
  amount: (row: Row) => number,
  add: (sum: Row, row: Row) => void,
) {
  const sums = new Map<string, Row>();
  return {
    sums,
    add: (row: Row): void => {
      if (amount(row) === 0) return;
      const key = `${row.bucket} ${row.reach} ${'col' in row ? row.col : ''}`;
      const sum = sums.get(key);
      if (sum) add(sum, row);
      else sums.set(key, row);
    },
  };
}

/**
 * Sums payments or subscriptions of cohorts, in time since each customer's own start day. Reads the sums of past days if
 * they answer the question, and all facts otherwise.
 */
export async function sumExplorer(
  reader: PieceReader,
  question: ChartQuestion,
  days: StoredDays,
  rates: Rates | null,
): Promise<ExplorerSums> {
  const cohortDays = cohortDaysOf(question, days);
  if (cohortDays !== null) {
    const read = <Row>({ statement, values }: Query): Promise<Row[]> =>
      reader.whole.query<Row>(statement, values);
    const sizes = await read<SizeRow>(cohortSizesQuery(question));
    const values = await read<ValueRow>(cohortValuesQuery(question, cohortDays, rates));
    return { form: 'explorer', sizes, values };
  }
  const sizes = sumRows<SizeRow>(
    ({ members }) => members,
    (sum, { members }) => (sum.members += members),
  );
  const values = sumRows<ValueRow>(
    ({ value }) => value,
    (sum, { value }) => (sum.value += value),
  );
  await reader.read(
    (piece) => sizesQuery(question, piece),
    sizes.add,
    () => sizes.sums.size,
  );
  await reader.read(
    (piece) => valuesQuery(question, rates, piece),
    values.add,
    () => values.sums.size,
  );
  return { form: 'explorer', sizes: [...sizes.sums.values()], values: [...values.sums.values()] };
}

function byBucket<Row extends { bucket: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const buckets = new Map<string, Row[]>();
  for (const row of rows) {
    const list = buckets.get(row.bucket);
    if (list) list.push(row);
    else buckets.set(row.bucket, [row]);
  }
  return buckets;
}

/** Payments or retention of cohorts, in time since each customer's own start day. */
export function answerExplorer(
  question: ChartQuestion,
  { sizes, values }: ExplorerSums,
  lastComputedAtMs: number,
): TableAnswer {
  const { calendar, nowMs, startMs, endMs, selected } = question;
  const [sizesOf, valuesOf] = [byBucket(sizes), byBucket(values)];
  const cohorts = bucketsBetween(startMs, Math.min(endMs, nowMs), calendar).map((bucket): Cohort => {
    const day = utcDay(bucket);
    const afterMs = Math.min(nextBucket(bucket, calendar), endMs + DAY_MS);
    return {
      name: bucket,
      sizes: sizesOf.get(day) ?? [],
      values: valuesOf.get(day) ?? [],
      isGrowing: afterMs > nowMs,
    };
  });
  const isGrowing = cohorts.some((cohort) => cohort.isGrowing);
  const total: Cohort = { name: 'Total', sizes, values, isGrowing };
  const reach = sizes.reduce((most, row) => Math.max(most, row.reach), -1);
  const size = cohortingDate.options.find(({ id }) => id === selected.cohorting_date)?.name ?? '';
  const unit = isStock(selected.cohort_measure ?? '') ? '#' : '$';
  const columns = Array.from({ length: Math.min(reach + 1, MAX_COLUMNS) }, (_, column): AnswerPeriod => ({
    name: `${steps[calendar.resolution].name} ${column}`,
    unit,
    scale: 'absolute',
  }));
  return {
    form: 'table',
    periods: [{ name: size, unit: '#', scale: 'absolute' }, ...columns],
    values: [...cohorts, total].flatMap((cohort) => rowOf(cohort, question)),
    lastComputedAtMs,
  };
}
