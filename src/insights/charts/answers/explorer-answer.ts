import { utcDay } from '../../../../libs/kernel/index.js';
import type { Reader } from '../../../platform/database/database.service.js';
import { isCustomerColumn } from '../definitions/dimensions.js';
import { cohortingDate } from '../definitions/selectors.js';
import { bucketsBetween, bucketSql, nextBucket, type Resolution } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { wireValue } from '../question/currencies.js';
import type { AnswerPeriod, TableAnswer, TableValue } from './answer.model.js';
import type { Rates } from './chart-rates.service.js';
import { dimsConditions, ratesSql } from './series-query.js';
import { SqlValues } from './sql-values.js';

const DAY_MS = 86_400_000;
const MAX_COLUMNS = 60;

/** Columns, in months or days from each member's own start day. */
const steps: Record<Resolution, { name: string; months: number; days: number }> = {
  day: { name: 'Day', months: 0, days: 1 },
  week: { name: 'Week', months: 0, days: 7 },
  month: { name: 'Month', months: 1, days: 0 },
  quarter: { name: 'Quarter', months: 3, days: 0 },
  year: { name: 'Year', months: 12, days: 0 },
};

/** Counts the whole steps between two days. Negative differences are in column 0. */
function columnSql(from: string, to: string, resolution: Resolution): string {
  const { months, days } = steps[resolution];
  if (days > 0) return `greatest(0, (${to} - ${from}) / ${days})`;
  const distance = `((extract(year FROM ${to}) - extract(year FROM ${from})) * 12
    + extract(month FROM ${to}) - extract(month FROM ${from}))::int`;
  const whole = `(${distance} - CASE WHEN (${from} + make_interval(months => ${distance}))::date > ${to}
    THEN 1 ELSE 0 END)`;
  return `greatest(0, ${whole} / ${months})`;
}

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

interface Context {
  values: SqlValues;
  project: string;
  members: string;
}

function membersOf(question: ChartQuestion): Context {
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
         WHERE m.project_id = ${project} AND ${range('m.cohort_day')} ${filter}`
      : `SELECT m.customer_id, ${column} AS day FROM chart_buyers m
         WHERE m.project_id = ${project} AND m.environment = ${values.add(question.environment)}
           AND ${range(column)} ${filter}`;
  const today = `${values.add(utcDay(question.nowMs))}::date`;
  const { resolution } = question.calendar;
  const members = `members AS MATERIALIZED (
      SELECT s.customer_id, s.day, ${bucketSql('s.day', question.calendar)} AS bucket,
        ${columnSql('s.day', today, resolution)} AS reach FROM (${source}) s)`;
  return { values, project, members };
}

const isStock = (measure: string): boolean =>
  measure === 'retained_subscriptions' || measure === 'subscriptions_set_to_renew';

function amountOf(measure: string): string {
  if (measure === 'revenue_net_of_taxes') return 'r.revenue - coalesce(r.tax, 0)';
  if (measure === 'proceeds') return 'r.revenue - coalesce(r.tax, 0) - coalesce(r.commission, 0)';
  return isStock(measure) ? 'r.actives' : 'r.revenue';
}

function valuesQuery(question: ChartQuestion, rates: Rates | null): { text: string; values: unknown[] } {
  const { values, project, members } = membersOf(question);
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
           AND u.purchase_id = r.purchase_id AND u.run = r.run AND u.is_renewing
           AND (u.ends_at IS NULL OR u.ends_at > ${now}) AND (u.paid_until IS NULL OR u.paid_until > ${now})`
      : '';
  const converts = !isStock(measure) && rates !== null;
  const amount = amountOf(measure);
  const day = `(r.at AT TIME ZONE 'UTC')::date`;
  const text = `WITH ${members}
    SELECT to_char(m.bucket, 'YYYY-MM-DD') AS bucket, m.reach,
      ${columnSql('m.day', day, question.calendar.resolution)} AS col,
      sum((${amount})${converts ? ' * coalesce(x.rate, 0)' : ''})::float8 AS value
    FROM members m JOIN chart_facts r ON r.project_id = ${project} AND r.customer_id = m.customer_id
      ${renewing} ${converts ? ratesSql(values, rates) : ''}
    WHERE r.environment = ${values.add(question.environment)} AND r.at <= ${now}
      AND ${isStock(measure) ? 'r.actives' : 'r.revenue'} IS NOT NULL ${purchases}
    GROUP BY 1, 2, 3`;
  return { text, values: values.list };
}

function sizesQuery(question: ChartQuestion): { text: string; values: unknown[] } {
  const { values, members } = membersOf(question);
  const text = `WITH ${members} SELECT to_char(bucket, 'YYYY-MM-DD') AS bucket, reach, count(*)::int AS members
    FROM members GROUP BY 1, 2`;
  return { text, values: values.list };
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

/** Payments or retention of cohorts, in time since each customer's own start day. */
export async function answerExplorer(
  snapshot: Reader,
  question: ChartQuestion,
  rates: Rates | null,
  lastComputedAtMs: number,
): Promise<TableAnswer> {
  const { calendar, nowMs, startMs, endMs, selected } = question;
  const run = <Row>({ text, values }: { text: string; values: unknown[] }): Promise<Row[]> =>
    snapshot.query<Row>({ name: 'charts.explorer', text, unnamed: true }, values);
  const sizes = await run<SizeRow>(sizesQuery(question));
  const values = await run<ValueRow>(valuesQuery(question, rates));
  const cohorts = bucketsBetween(startMs, Math.min(endMs, nowMs), calendar).map((bucket): Cohort => {
    const of = ({ bucket: day }: { bucket: string }): boolean => day === utcDay(bucket);
    const afterMs = Math.min(nextBucket(bucket, calendar), endMs + DAY_MS);
    return { name: bucket, sizes: sizes.filter(of), values: values.filter(of), isGrowing: afterMs > nowMs };
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
