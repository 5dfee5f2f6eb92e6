import { utcDay } from '../../../../libs/kernel/index.js';
import { BY_CONVERSION, BY_PAYMENT } from '../cohorts/cohort-counts.js';
import { bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { StoredDays } from '../rollup/chart-rollup.repository.js';
import type { Rates } from './chart-rates.service.js';
import { amountOf, calendarSql, columnSql, isStock, MAX_COLUMNS, steps } from './explorer-columns.js';
import { openDays, ratesSql } from './series-query.js';
import { type Query, SqlValues } from './sql-values.js';

const DAY_MS = 86_400_000;
/** With more days to read from facts, pieces of the customers are faster. */
export const MAX_OPEN_DAYS = 31;

interface Start {
  kind: string;
  environment: string;
  window: number;
  /** Selects the first day of the customer of a fact `f`. */
  ofFact: (project: string, environment: string) => string;
}

const ofBuyer =
  (column: string): Start['ofFact'] =>
  (project, environment) =>
    `SELECT b.${column} AS day FROM chart_buyers b WHERE b.project_id = ${project}
       AND b.customer_id = f.customer_id AND b.environment = ${environment}`;

function startOf({ selected, environment }: ChartQuestion): Start {
  const { cohorting_date: date } = selected;
  if (date === 'initial_conversions')
    return { kind: 'i', environment, window: BY_CONVERSION, ofFact: ofBuyer('first_conversion_day') };
  if (date === 'new_paying_customers')
    return { kind: 'p', environment, window: BY_PAYMENT, ofFact: ofBuyer('first_paying_day') };
  return {
    kind: 'c',
    environment: 'any',
    window: 0,
    ofFact: (project) =>
      `SELECT c.cohort_day AS day FROM chart_customers c WHERE c.project_id = ${project}
         AND c.customer_id = f.customer_id`,
  };
}

/** Whether the sums of past days by cohort answer a question, if they are stored. */
export function isOfCohortDays({ chart, filters, selected }: ChartQuestion): boolean {
  const { cohort_measure: measure } = selected;
  return chart.table === 'explorer' && filters.length === 0 && measure !== 'subscriptions_set_to_renew';
}

interface ReadDays {
  /** The newest day whose stored sums are read. */
  closedUntil: string;
  /** Earlier days whose sums are out of date. */
  dirty: string[];
  /** Days whose facts are read. */
  open: string[];
}

/** Returns the days to read from sums and from facts; null if the stored sums do not answer a question. */
export function cohortDaysOf(question: ChartQuestion, days: StoredDays): ReadDays | null {
  if (!isOfCohortDays(question) || !days.hasCohortDays || days.closedUntil === null) return null;
  // A server whose clock is ahead may have closed this server's today.
  const yesterday = utcDay(question.nowMs - DAY_MS);
  const closedUntil = days.closedUntil < yesterday ? days.closedUntil : yesterday;
  const dirty = days.dirty.filter((day) => day <= closedUntil);
  const open = openDays({ dirty }, closedUntil, question.nowMs);
  return open.length <= MAX_OPEN_DAYS ? { closedUntil, dirty, open } : null;
}

interface Context {
  values: SqlValues;
  project: string;
  calendar: string;
  range: (day: string) => string;
  today: string;
}

function contextOf(question: ChartQuestion): Context {
  const values = new SqlValues();
  const project = values.add(question.projectId);
  const [from, to, today] = [question.startMs, Math.min(question.endMs, question.nowMs), question.nowMs].map(
    (ms) => `${values.add(utcDay(ms))}::date`,
  );
  return {
    values,
    project,
    calendar: calendarSql(question, values),
    range: (day) => `${day} >= ${from} AND ${day} <= ${to}`,
    today: today ?? '',
  };
}

/** The number of customers by first day. */
export function cohortSizesQuery(question: ChartQuestion): Query {
  const { values, project, calendar, range, today } = contextOf(question);
  const { environment, window } = startOf(question);
  const text = `WITH ${calendar}
    SELECT to_char(${bucketSql('n.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
      ${columnSql('k', 't', question.calendar.resolution)} AS reach, sum(n.customers)::int AS members
    FROM chart_cohort_counts n JOIN calendar k ON k.day = n.cohort_day JOIN calendar t ON t.day = ${today}
    WHERE n.project_id = ${project} AND n.environment = ${values.add(environment)}
      AND n.time_window = ${window} AND ${range('n.cohort_day')} GROUP BY 1, 2`;
  return { statement: { name: 'charts.cohort_sizes', text, unnamed: true }, values: values.list };
}

/** Sums by first day of the customer and column: of closed days from their sums, of open days from facts. */
export function cohortValuesQuery(
  question: ChartQuestion,
  { closedUntil, dirty, open }: ReadDays,
  rates: Rates | null,
): Query {
  const { values, project, calendar, range, today } = contextOf(question);
  const { resolution } = question.calendar;
  const { kind, ofFact } = startOf(question);
  const measure = question.selected.cohort_measure ?? '';
  const environment = values.add(question.environment);
  const { months, days: step } = steps[resolution];
  const column = step > 0 ? `(d.day - d.cohort_day) / ${step}` : `d.months / ${months}`;
  const converts = !isStock(measure) && rates !== null;
  const amount = isStock(measure) ? 'actives' : 'revenue';
  // The calendar lacks days before the range. Such facts precede their customer's start day: greatest() ignores the null.
  const text = `WITH ${calendar}, r AS (
      SELECT d.cohort_day, greatest(0, ${column}) AS col, d.rate_day, d.revenue, d.tax, d.commission, d.actives
      FROM chart_cohort_days d
      WHERE d.project_id = ${project} AND d.environment = ${environment} AND d.kind = '${kind}'
        AND ${range('d.cohort_day')} AND d.day <= ${values.add(closedUntil)}::date
        ${dirty.length === 0 ? '' : `AND NOT (d.day = ANY (${values.add(dirty)}::date[]))`}
      UNION ALL
      SELECT s.day, ${columnSql('k', 'g', resolution)}, f.rate_day, f.revenue, f.tax, f.commission, f.actives
      FROM unnest(${values.add(open)}::date[]) o (day)
      CROSS JOIN LATERAL (SELECT a.customer_id, a.rate_day, a.revenue, a.tax, a.commission, a.actives
        FROM chart_facts a WHERE a.project_id = ${project} AND a.environment = ${environment}
          AND a.at >= o.day::timestamp AT TIME ZONE 'UTC' AND a.at < (o.day + 1)::timestamp AT TIME ZONE 'UTC'
          AND a.at <= ${values.add(new Date(question.nowMs))}::timestamptz AND a.${amount} IS NOT NULL OFFSET 0) f
      CROSS JOIN LATERAL (${ofFact(project, environment)} OFFSET 0) s
      JOIN calendar k ON k.day = s.day LEFT JOIN calendar g ON g.day = o.day
      WHERE ${range('s.day')}
    )
    SELECT to_char(${bucketSql('v.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
      ${columnSql('k', 't', resolution)} AS reach, v.col, sum(v.value)::float8 AS value
    FROM (SELECT r.cohort_day, r.col, sum((${amountOf(measure)})${converts ? ' * coalesce(x.rate, 0)' : ''}) AS value
      FROM r ${converts ? ratesSql(values, rates) : ''} WHERE r.col < ${MAX_COLUMNS} GROUP BY 1, 2) v
    JOIN calendar k ON k.day = v.cohort_day JOIN calendar t ON t.day = ${today}
    GROUP BY 1, 2, 3`;
  return { statement: { name: 'charts.cohort_days', text, unnamed: true }, values: values.list };
}
