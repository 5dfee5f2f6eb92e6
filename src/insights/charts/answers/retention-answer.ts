import { addPeriods, type Period, parsePeriod, utcDay, utcDayMs } from '../../../../libs/kernel/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { isCustomerColumn } from '../definitions/dimensions.js';
import { bucketsBetween, nextBucket, bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { MAX_RENEWALS } from '../facts/run-rows.js';
import type { AnswerPeriod, TableAnswer, TableValue } from './answer.model.js';
import { dimensionSql } from './dimension-sql.js';
import { inPiece, type Piece, type PieceReader } from './pieces.js';
import { divided, otherSegment, segmentName } from './segments.js';
import { dimsConditions } from './series-query.js';
import { type Query, SqlValues } from './sql-values.js';

const DAY_MS = 86_400_000;
const PERCENT = 100;
const DEFAULT_DURATION = 'P1M';

/** Members of a cohort with the same renewals and start day. `early` members started before the current time of day. */
interface Group {
  bucket: string;
  seg: string | null;
  day: string;
  early: boolean;
  /** A period paid in advance counts once it starts. */
  retained: string;
  /** Number of payments if the store is still collecting the next one; else null. */
  due: number | null;
  members: number;
}

interface Cell {
  retained: number;
  /** Members who have reached the renewal. */
  chance: number;
  /** Whether the store is still collecting a payment. */
  due: boolean;
}

/** Members who started in one bucket, or all of one segment. */
interface CohortSums {
  /** First day of the bucket, or the segment's value. */
  id: number | string;
  size: number;
  /** The renewal that every member has reached. */
  reached: number;
  cells: Cell[];
}

export interface RetentionSums {
  form: 'retention';
  cohorts: CohortSums[];
}

function queryOf(question: ChartQuestion, piece: Piece): Query {
  const values = new SqlValues();
  const project = values.add(question.projectId);
  const { segment, calendar, nowMs } = question;
  const column = segment === null || typeof segment === 'string' ? null : segment.column;
  const conditions = (customers: boolean): string =>
    dimsConditions(question, values, (name) => isCustomerColumn(name) === customers)
      .map((condition) => ` AND ${condition}`)
      .join('');
  const seg =
    column === null ? 'NULL::text' : dimensionSql(isCustomerColumn(column) ? 'c' : 'p', column, values);
  const now = `${values.add(new Date(nowMs))}::timestamptz`;
  const day = `(r.cohort_at AT TIME ZONE 'UTC')::date`;
  const duration = question.filters.some(({ dimension }) => dimension.id === 'product_duration')
    ? ''
    : ` AND k.product_duration = '${DEFAULT_DURATION}'`;
  const text = `WITH p AS MATERIALIZED (SELECT k.* FROM chart_dims k
      WHERE k.project_id = ${project} AND k.level = 'purchase'${duration}${conditions(false)}),
    c AS MATERIALIZED (SELECT k.* FROM chart_dims k
      WHERE k.project_id = ${project} AND k.level = 'customer'${conditions(true)})
    SELECT to_char(${bucketSql(day, calendar)}, 'YYYY-MM-DD') AS bucket, ${seg} AS seg,
      to_char(${day}, 'YYYY-MM-DD') AS day,
      (r.cohort_at AT TIME ZONE 'UTC')::time <= (${now} AT TIME ZONE 'UTC')::time AS early,
      (CASE WHEN r.starts_at > ${now} AND r.payments BETWEEN 2 AND ${MAX_RENEWALS + 1}
        THEN r.retained & ~(1::bigint << (r.payments - 2)) ELSE r.retained END)::text AS retained,
      CASE WHEN r.in_retry OR (r.paid_until <= ${now} AND r.ends_at > ${now}) THEN r.payments END AS due,
      count(*)::int AS members
    FROM chart_runs r JOIN p ON p.id = r.cohort_dims_id JOIN c ON c.id = r.customer_dims_id
    WHERE r.project_id = ${project} AND r.environment = ${values.add(question.environment)}
      AND r.cohort_at >= ${values.add(new Date(question.startMs))}::timestamptz
      AND r.cohort_at < ${values.add(new Date(question.endMs + DAY_MS))}::timestamptz AND r.cohort_at <= ${now}
      ${inPiece(values, piece, 'r')}
    GROUP BY 1, 2, 3, 4, 5, 6`;
  return { statement: { name: 'charts.retention', text, unnamed: true }, values: values.list };
}

/** The one duration whose subscriptions are compared. @throws ApiError 400 for more than one */
export function durationOf(question: ChartQuestion): Period {
  const filter = question.filters.find(({ dimension }) => dimension.id === 'product_duration');
  if (filter && filter.values.length > 1) {
    throw ApiError.parameter(
      'filters',
      'The chart subscription_retention takes one product_duration: different ones cannot be compared.',
    );
  }
  const period = parsePeriod(filter?.values[0] ?? DEFAULT_DURATION);
  if (!period) throw ApiError.parameter('filters', 'product_duration must be a duration such as P1M.');
  return period;
}

/** `Month 3` is the first renewal of a quarterly product. */
function columnName({ years, months, weeks, days }: Period, count: number): string {
  if (years > 0 && months === 0) return `Year ${years * count}`;
  if (months + years > 0) return `Month ${(years * 12 + months) * count}`;
  if (weeks > 0 && days === 0) return `Week ${weeks * count}`;
  return `Day ${(weeks * 7 + days) * count}`;
}

/** Whether members who started on a day have reached their k-th renewal. */
function reached(group: Pick<Group, 'day' | 'early'>, length: Period, k: number, nowMs: number): boolean {
  const due = utcDay(addPeriods(utcDayMs(group.day), length, k));
  const today = utcDay(nowMs);
  return due < today || (due === today && group.early);
}

/** Counts the renewals that members have reached. */
function renewalsOf(group: Pick<Group, 'day' | 'early'>, length: Period, nowMs: number): number {
  let count = 0;
  while (count < MAX_RENEWALS && reached(group, length, count + 1, nowMs)) count++;
  return count;
}

function addGroup(cohort: CohortSums, { retained, due, members }: Group, renewals: number): void {
  const bits = BigInt(retained);
  cohort.size += members;
  cohort.reached = Math.min(cohort.reached, renewals);
  for (let index = 0; index < renewals || bits >> BigInt(index) > 0n; index++) {
    const cell = (cohort.cells[index] ??= { retained: 0, chance: 0, due: false });
    if (index < renewals) cell.chance += members;
    if ((bits >> BigInt(index)) & 1n) cell.retained += members;
    if (index < renewals && due === index + 1) cell.due = true;
  }
}

/** Sums renewals by cohort. @throws ApiError 400 for more than one duration */
export async function sumRetention(reader: PieceReader, question: ChartQuestion): Promise<RetentionSums> {
  const length = durationOf(question);
  const cohorts = new Map<number | string, CohortSums>();
  const renewals = new Map<string, number>();
  const add = (group: Group): void => {
    const id = question.segment === null ? utcDayMs(group.bucket) : (group.seg ?? '');
    const cohort = cohorts.get(id) ?? { id, size: 0, reached: MAX_RENEWALS, cells: [] };
    cohorts.set(id, cohort);
    const key = group.day + String(group.early);
    const count = renewals.get(key) ?? renewalsOf(group, length, question.nowMs);
    renewals.set(key, count);
    addGroup(cohort, group, count);
  };
  await reader.read(
    (piece) => queryOf(question, piece),
    add,
    () => cohorts.size * MAX_RENEWALS,
  );
  return { form: 'retention', cohorts: [...cohorts.values()] };
}

interface Cohort {
  name: number | string;
  size: number;
  cells: { retained: number; chance: number; open: boolean }[];
  /** Whether further members can join. */
  isOpen: boolean;
}

/** Adds up sums, of which there are several only in the group of other segments. */
function cohortOf(name: number | string, list: CohortSums[], columns: number, isOpen: boolean): Cohort {
  return {
    name,
    size: list.reduce((sum, { size }) => sum + size, 0),
    cells: Array.from({ length: columns }, (_, index) => ({
      retained: list.reduce((sum, { cells }) => sum + (cells[index]?.retained ?? 0), 0),
      chance: list.reduce((sum, { cells }) => sum + (cells[index]?.chance ?? 0), 0),
      open: isOpen || list.some(({ cells, reached }) => reached <= index || cells[index]?.due === true),
    })),
    isOpen,
  };
}

const rateOf = (retained: number, chance: number): number =>
  chance === 0 ? 0 : Math.round((PERCENT * PERCENT * retained) / chance) / PERCENT;

function rowOf({ name, size, cells, isOpen }: Cohort): TableValue[] {
  const values: TableValue[] = [{ cohort: name, period: 0, value: size, incomplete: isOpen }];
  cells.forEach(({ retained, chance, open }, index) => {
    if (chance === 0) return;
    const period = 1 + 2 * index;
    values.push({ cohort: name, period, value: retained, incomplete: open });
    values.push({ cohort: name, period: period + 1, value: rateOf(retained, chance), incomplete: open });
  });
  return values;
}

/** Sums the cohorts. Rates omit cells that may still change, unless all may. */
function totalOf(cohorts: Cohort[], columns: number, isOpen: boolean): TableValue[] {
  const size = cohorts.reduce((sum, cohort) => sum + cohort.size, 0);
  const values: TableValue[] = [{ cohort: 'Total', period: 0, value: size, incomplete: isOpen }];
  for (let index = 0; index < columns; index++) {
    const cells = cohorts.flatMap((cohort) => cohort.cells[index] ?? []).filter(({ chance }) => chance > 0);
    if (cells.length === 0) continue;
    const complete = cells.filter(({ open }) => !open);
    const sum = (list: typeof cells, field: 'retained' | 'chance'): number =>
      list.reduce((total, cell) => total + cell[field], 0);
    const period = 1 + 2 * index;
    const incomplete = complete.length === 0;
    const rated = incomplete ? cells : complete;
    const rate = rateOf(sum(rated, 'retained'), sum(rated, 'chance'));
    values.push({ cohort: 'Total', period, value: sum(cells, 'retained'), incomplete });
    values.push({ cohort: 'Total', period: period + 1, value: rate, incomplete });
  }
  return values;
}

export function answerRetention(
  question: ChartQuestion,
  { cohorts: sums }: RetentionSums,
  lastComputedAtMs: number,
): TableAnswer {
  const length = durationOf(question);
  const { nowMs, calendar, startMs, endMs } = question;
  const columns = sums.reduce(
    (most, { cells }) => Math.max(most, cells.filter(({ chance }) => chance > 0).length),
    0,
  );
  const isOpen = endMs + DAY_MS > nowMs;
  const cohorts =
    question.segment === null
      ? bucketsBetween(startMs, Math.min(endMs, nowMs), calendar).map((bucket) => {
          const isGrowing = Math.min(nextBucket(bucket, calendar), endMs + DAY_MS) > nowMs;
          return cohortOf(
            bucket,
            sums.filter(({ id }) => id === bucket),
            columns,
            isGrowing,
          );
        })
      : segmentsOf(sums, question).map(({ name, list }) => cohortOf(name, list, columns, isOpen));
  const pairs = Array.from({ length: columns }, (_, index): AnswerPeriod[] => {
    const name = columnName(length, index + 1);
    return [
      { name, unit: '#', scale: 'absolute' },
      { name: `${name} rate`, unit: '%', scale: 'relative' },
    ];
  });
  const isAnyOpen = cohorts.some((cohort) => cohort.isOpen);
  return {
    form: 'table',
    periods: [{ name: 'Subscriptions', unit: '#', scale: 'absolute' }, ...pairs.flat()],
    values: [...cohorts.flatMap(rowOf), ...totalOf(cohorts, columns, isAnyOpen)],
    lastComputedAtMs,
  };
}

/** Returns the largest segments, and the rest as one. */
function segmentsOf(sums: CohortSums[], question: ChartQuestion): { name: string; list: CohortSums[] }[] {
  const sized = sums.map((cohort) => ({ id: String(cohort.id), size: cohort.size, cohort }));
  const { shown, rest } = divided(question, sized);
  const named = shown.map(({ id, cohort }) => ({ name: segmentName(question, id), list: [cohort] }));
  if (rest.length === 0) return named;
  return [...named, { name: otherSegment.name, list: rest.map(({ cohort }) => cohort) }];
}
