import { addPeriods, type Period, parsePeriod, utcDay } from '../../../../libs/kernel/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { Reader } from '../../../platform/database/database.service.js';
import { isCustomerColumn } from '../definitions/dimensions.js';
import { bucketsBetween, nextBucket, bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { MAX_RENEWALS } from '../facts/run-rows.js';
import type { AnswerPeriod, TableAnswer, TableValue } from './answer.model.js';
import { dimensionSql } from './dimension-sql.js';
import { divided, otherSegment, segmentName } from './segments.js';
import { dimsConditions } from './series-query.js';
import { SqlValues } from './sql-values.js';

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
  chance: number;
  open: boolean;
}

interface Cohort {
  size: number;
  cells: Cell[];
}

function queryOf(question: ChartQuestion): { text: string; values: unknown[] } {
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
    GROUP BY 1, 2, 3, 4, 5, 6`;
  return { text, values: values.list };
}

function lengthOf(question: ChartQuestion): Period {
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

function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Whether members who started on a day have reached their k-th renewal. */
function reached(group: Pick<Group, 'day' | 'early'>, length: Period, k: number, nowMs: number): boolean {
  const due = utcDay(addPeriods(dayMs(group.day), length, k));
  const today = utcDay(nowMs);
  return due < today || (due === today && group.early);
}

function cohortOf(groups: Group[], length: Period, nowMs: number, columns: number, endMs: number): Cohort {
  const cohort: Cohort = {
    size: 0,
    cells: Array.from({ length: columns }, () => ({ retained: 0, chance: 0, open: false })),
  };
  for (const group of groups) {
    cohort.size += group.members;
    const bits = BigInt(group.retained);
    cohort.cells.forEach((cell, index) => {
      const isReached = reached(group, length, index + 1, nowMs);
      if (isReached) cell.chance += group.members;
      else cell.open = true;
      if ((bits >> BigInt(index)) & 1n) cell.retained += group.members;
      if (isReached && group.due === index + 1) cell.open = true;
    });
  }
  // Further members can join.
  if (endMs > nowMs) for (const cell of cohort.cells) cell.open = true;
  return cohort;
}

function columnsOf(groups: Group[], length: Period, nowMs: number): number {
  let columns = 0;
  for (const group of groups) {
    while (columns < MAX_RENEWALS && reached(group, length, columns + 1, nowMs)) columns++;
  }
  return columns;
}

const rateOf = (retained: number, chance: number): number =>
  chance === 0 ? 0 : Math.round((PERCENT * PERCENT * retained) / chance) / PERCENT;

function rowOf(name: number | string, { size, cells }: Cohort, isOpen: boolean): TableValue[] {
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
    const sum = (list: Cell[], field: 'retained' | 'chance'): number =>
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

/** @throws ApiError 400 for more than one duration */
export async function answerRetention(
  snapshot: Reader,
  question: ChartQuestion,
  lastComputedAtMs: number,
): Promise<TableAnswer> {
  const length = lengthOf(question);
  const { text, values } = queryOf(question);
  const { nowMs, calendar, startMs, endMs } = question;
  const groups = await snapshot.query<Group>({ name: 'charts.retention', text, unnamed: true }, values);
  const columns = columnsOf(groups, length, nowMs);
  const named =
    question.segment === null
      ? bucketsBetween(startMs, Math.min(endMs, nowMs), calendar).map((name) => ({
          name,
          members: groups.filter(({ bucket }) => dayMs(bucket) === name),
        }))
      : segmentsOf(groups, question);
  const cohorts = named.map(({ name, members }) => {
    const end =
      typeof name === 'number' ? Math.min(nextBucket(name, calendar), endMs + DAY_MS) : endMs + DAY_MS;
    return { name, isOpen: end > nowMs, cohort: cohortOf(members, length, nowMs, columns, end) };
  });
  const rows = cohorts.flatMap(({ name, cohort, isOpen }) => rowOf(name, cohort, isOpen));
  const total = cohorts.map(({ cohort }) => cohort);
  const isOpen = cohorts.some((cohort) => cohort.isOpen);
  const pairs = Array.from({ length: columns }, (_, index): AnswerPeriod[] => {
    const name = columnName(length, index + 1);
    return [
      { name, unit: '#', scale: 'absolute' },
      { name: `${name} rate`, unit: '%', scale: 'relative' },
    ];
  });
  return {
    form: 'table',
    periods: [{ name: 'Subscriptions', unit: '#', scale: 'absolute' }, ...pairs.flat()],
    values: [...rows, ...totalOf(total, columns, isOpen)],
    lastComputedAtMs,
  };
}

/** Returns the largest segments, and the rest as one. */
function segmentsOf(groups: Group[], question: ChartQuestion): { name: string; members: Group[] }[] {
  const segments = new Map<string, Group[]>();
  for (const group of groups) {
    const members = segments.get(group.seg ?? '') ?? [];
    segments.set(group.seg ?? '', [...members, group]);
  }
  const sizeOf = (list: Group[]): number => list.reduce((sum, { members }) => sum + members, 0);
  const sized = [...segments].map(([id, members]) => ({ id, members, size: sizeOf(members) }));
  const { shown, rest } = divided(question, sized);
  const named = shown.map(({ id, members }) => ({ name: segmentName(question, id), members }));
  if (rest.length === 0) return named;
  return [...named, { name: otherSegment.name, members: rest.flatMap(({ members }) => members) }];
}
