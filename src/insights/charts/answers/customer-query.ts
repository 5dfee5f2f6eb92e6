import { utcDay } from '../../../../libs/kernel/index.js';
import { type DimensionColumn, isCustomerColumn } from '../definitions/dimensions.js';
import type { CustomerFigure } from '../definitions/figures.js';
import { windowIndex, windows } from '../definitions/windows.js';
import { bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import type { Rates } from './chart-rates.service.js';
import { dimensionSql } from './dimension-sql.js';
import { inPiece, type Piece } from './pieces.js';
import { dimsConditions, ratesSql } from './series-query.js';
import { type Query, SqlValues } from './sql-values.js';

interface Context {
  question: ChartQuestion;
  values: SqlValues;
  project: string;
  from: string;
  to: string;
}

export function contextOf(question: ChartQuestion): Context {
  const values = new SqlValues();
  return {
    question,
    values,
    project: values.add(question.projectId),
    from: `${values.add(utcDay(question.startMs))}::date`,
    to: `${values.add(utcDay(Math.min(question.endMs, question.nowMs)))}::date`,
  };
}

/** Selects the matching combinations of one kind of dimension; null if all match and none is needed. */
function keys(
  { question, values, project }: Context,
  level: string,
  segment: DimensionColumn | null,
  belongs: (column: DimensionColumn) => boolean,
): string | null {
  const conditions = dimsConditions(question, values, belongs);
  const splits = segment !== null && belongs(segment);
  if (conditions.length === 0 && !splits) return null;
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return `(SELECT k.id, ${splits ? dimensionSql('k', segment, values) : 'NULL::text'} AS seg FROM chart_dims k
    WHERE k.project_id = ${project} AND k.level = '${level}'${where})`;
}

const isPurchaseColumn = (column: DimensionColumn): boolean => !isCustomerColumn(column);

function joined(source: string | null, alias: string, column: string): { join: string; seg: string } {
  if (source === null) return { join: '', seg: 'NULL::text' };
  return { join: `JOIN ${source} ${alias} ON ${alias}.id = ${column}`, seg: `${alias}.seg` };
}

export function finish(name: string, { values }: Context, text: string): Query {
  return { statement: { name: `charts.${name}`, text, unnamed: true }, values: values.list };
}

/** In sandbox, the first purchase of a row `c` of `chart_customers` may differ. */
const customerDims = ({ environment }: ChartQuestion): string =>
  environment === 'sandbox' ? 'coalesce(c.sandbox_dims_id, c.customer_dims_id)' : 'c.customer_dims_id';

/** Purchase filters do not change the number of customers. */
function newCustomers(question: ChartQuestion, segment: DimensionColumn | null, piece: Piece): Query {
  const context = contextOf(question);
  const { project, from, to } = context;
  const c = joined(keys(context, 'customer', segment, isCustomerColumn), 'd', customerDims(question));
  return finish(
    'customers',
    context,
    `SELECT to_char(${bucketSql('c.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket, ${c.seg} AS seg,
       count(*)::float8 AS customers
     FROM chart_customers c ${c.join}
     WHERE c.project_id = ${project} AND c.cohort_day >= ${from} AND c.cohort_day <= ${to}
       ${inPiece(context.values, piece, 'c')} GROUP BY 1, 2`,
  );
}

function activeCustomers(question: ChartQuestion, segment: DimensionColumn | null, piece: Piece): Query {
  const context = contextOf(question);
  const { project, from, to, values } = context;
  const source = keys(context, 'customer', segment, isCustomerColumn);
  const c = joined(source, 'd', customerDims(question));
  const customers =
    source === null
      ? ''
      : `JOIN chart_customers c ON c.project_id = ${project} AND c.customer_id = s.customer_id
         ${inPiece(values, piece, 'c')} ${c.join}`;
  const isDay = question.calendar.resolution === 'day';
  return finish(
    'active_customers',
    context,
    `SELECT to_char(${bucketSql('s.day', question.calendar)}, 'YYYY-MM-DD') AS bucket, ${c.seg} AS seg,
       count(${isDay ? '*' : 'DISTINCT s.customer_id'})::float8 AS active_customers
     FROM customer_days s ${customers}
     WHERE s.project_id = ${project} AND s.day >= ${from} AND s.day <= ${to}
       ${inPiece(values, piece, 's')} GROUP BY 1, 2`,
  );
}

export function windowOf({ selected }: ChartQuestion): number {
  return windowIndex(selected.conversion_timeframe ?? selected.customer_lifetime ?? 'unbounded');
}

/** Counts distinct customers with a conversion or payment in the window, or sums what they paid in it. */
function ofPayers(
  figure: CustomerFigure,
  question: ChartQuestion,
  segment: DimensionColumn | null,
  piece: Piece,
): Query {
  const context = contextOf(question);
  const { project, from, to, values } = context;
  const p = joined(keys(context, 'sale', segment, isPurchaseColumn), 'k1', 'p.dims_id');
  const c = joined(keys(context, 'customer', segment, isCustomerColumn), 'k2', 'p.customer_dims_id');
  const window = windowOf(question);
  const bit = (column: string): string => `p.${column} & ${1 << window} <> 0`;
  const value =
    figure === 'ltv' ? `sum(p.revenue[${window + 1}])::float8` : `count(DISTINCT p.customer_id)::float8`;
  const where = figure === 'ltv' ? 'true' : bit(figure === 'paying' ? 'pays' : 'converts');
  return finish(
    figure,
    context,
    `SELECT to_char(${bucketSql('p.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
       coalesce(${p.seg}, ${c.seg}) AS seg, ${value} AS ${figure}
     FROM chart_payers p ${p.join} ${c.join}
     WHERE p.project_id = ${project} AND p.environment = ${values.add(question.environment)}
       AND p.cohort_day >= ${from} AND p.cohort_day <= ${to} AND ${where}
       ${inPiece(values, piece, 'p')} GROUP BY 1, 2`,
  );
}

/** Like `ofPayers`, from facts. Each payment is converted at the rate of its day. */
function ltvOfFacts(
  question: ChartQuestion,
  segment: DimensionColumn | null,
  rates: Rates,
  piece: Piece,
): Query {
  const context = contextOf(question);
  const { project, from, to, values } = context;
  const p = joined(keys(context, 'purchase', segment, isPurchaseColumn), 'k1', 'r.dims_id');
  const c = joined(keys(context, 'customer', segment, isCustomerColumn), 'k2', 'r.customer_dims_id');
  const { days = null, months = null } = windows[windowOf(question)] ?? {};
  const last =
    days !== null
      ? `c.cohort_day + ${days}`
      : months !== null
        ? `(c.cohort_day + interval '${months} months')::date`
        : `'infinity'::date`;
  return finish(
    'ltv_in_currency',
    context,
    `SELECT to_char(${bucketSql('c.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
       coalesce(${p.seg}, ${c.seg}) AS seg, coalesce(sum(r.revenue * coalesce(x.rate, 0)), 0)::float8 AS ltv
     FROM chart_customers c
     JOIN chart_facts r ON r.project_id = ${project} AND r.customer_id = c.customer_id
     ${p.join} ${c.join} ${ratesSql(values, rates)}
     WHERE c.project_id = ${project} AND r.environment = ${values.add(question.environment)}
       AND c.cohort_day >= ${from} AND c.cohort_day <= ${to} AND r.revenue IS NOT NULL
       AND r.at <= ${values.add(new Date(question.nowMs))}::timestamptz
       AND greatest((r.at AT TIME ZONE 'UTC')::date, c.cohort_day) <= ${last}
       ${inPiece(values, piece, 'c')} ${inPiece(values, piece, 'r')} GROUP BY 1, 2`,
  );
}

const counted = { customers: 'customers', paying: 'pays', converting: 'converts' } as const;

/** Counts all customers from the sums of their cohorts. */
function countsOfCohorts(figure: keyof typeof counted, question: ChartQuestion): Query {
  const context = contextOf(question);
  const { project, from, to, values } = context;
  const ofCustomers = figure === 'customers';
  return finish(
    `${figure}_of_cohorts`,
    context,
    `SELECT to_char(${bucketSql('n.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket, NULL AS seg,
       sum(n.${counted[figure]})::float8 AS ${figure}
     FROM chart_cohort_counts n
     WHERE n.project_id = ${project} AND n.environment = ${values.add(ofCustomers ? 'any' : question.environment)}
       AND n.time_window = ${ofCustomers ? 0 : windowOf(question)} AND n.cohort_day >= ${from} AND n.cohort_day <= ${to}
     GROUP BY 1`,
  );
}

function moneyOfCohorts(question: ChartQuestion, rates: Rates | null): Query {
  const context = contextOf(question);
  const { project, from, to, values } = context;
  return finish(
    'ltv_of_cohorts',
    context,
    `SELECT to_char(${bucketSql('r.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket, NULL AS seg,
       sum(r.revenue${rates === null ? '' : ' * coalesce(x.rate, 0)'})::float8 AS ltv
     FROM chart_cohort_money r ${ratesSql(values, rates)}
     WHERE r.project_id = ${project} AND r.environment = ${values.add(question.environment)}
       AND r.cohort_day >= ${from} AND r.cohort_day <= ${to} AND r.time_window <= ${windowOf(question)} GROUP BY 1`,
  );
}

/** Whether the sums of whole cohorts answer a figure. Dimensions of purchases do not change the number of customers. */
export function isOfCohorts(
  figure: CustomerFigure,
  { filters }: ChartQuestion,
  segment: DimensionColumn | null,
): boolean {
  const columns = [
    ...filters.map(({ dimension }) => dimension.column),
    ...(segment === null ? [] : [segment]),
  ];
  if (figure === 'customers') return !columns.some(isCustomerColumn);
  return columns.length === 0 && figure !== 'active_customers';
}

/** Figures of whole cohorts by bucket, from their sums. */
export function cohortQuery(figure: CustomerFigure, question: ChartQuestion, rates: Rates | null): Query {
  if (figure === 'active_customers') throw new Error('no cohort has active customers');
  return figure === 'ltv' ? moneyOfCohorts(question, rates) : countsOfCohorts(figure, question);
}

/** Figures of the customers of a piece by bucket and segment. */
export function customerQuery(
  figure: CustomerFigure,
  question: ChartQuestion,
  segment: DimensionColumn | null,
  rates: Rates | null,
  piece: Piece,
): Query {
  switch (figure) {
    case 'customers':
      return newCustomers(question, segment !== null && isCustomerColumn(segment) ? segment : null, piece);
    case 'active_customers':
      return activeCustomers(question, segment, piece);
    case 'ltv':
      return rates === null
        ? ofPayers(figure, question, segment, piece)
        : ltvOfFacts(question, segment, rates, piece);
    case 'paying':
    case 'converting':
      return ofPayers(figure, question, segment, piece);
  }
}
