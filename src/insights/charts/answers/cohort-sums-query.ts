import { type DimensionColumn, isCustomerColumn } from '../definitions/dimensions.js';
import type { CustomerFigure } from '../definitions/figures.js';
import { contextOf, finish, windowOf } from './customer-query.js';
import type { Query } from './sql-values.js';
import { bucketSql } from '../question/buckets.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { type CohortLevel, isCohortLevel } from '../cohorts/cohort-levels.js';

/** The sums by sets of values that answer a question about a figure. */
export interface CohortSumsQuestion {
  figure: Exclude<CustomerFigure, 'active_customers'>;
  level: CohortLevel;
  hasSegments: boolean;
  /** Null: all. */
  values: readonly string[] | null;
}

/** Returns null if no level has the dimensions of a question, or a currency other than USD is asked for. */
export function cohortSumsOf(
  figure: CustomerFigure,
  { filters, currency }: ChartQuestion,
  segment: DimensionColumn | null,
): CohortSumsQuestion | null {
  if (figure === 'active_customers' || (figure === 'ltv' && currency !== 'USD')) return null;
  // Dimensions of purchases do not change the number of customers.
  const matters = (column: DimensionColumn): boolean => figure !== 'customers' || isCustomerColumn(column);
  const used = filters.filter(({ dimension }) => matters(dimension.column));
  const split = segment !== null && matters(segment) ? segment : null;
  const [column, ...others] = new Set([
    ...used.map(({ dimension }) => dimension.column),
    ...(split === null ? [] : [split]),
  ]);
  if (column === undefined || others.length > 0 || !isCohortLevel(column)) return null;
  const [first, ...rest] = used;
  const values =
    first?.values.filter((value) => rest.every((filter) => filter.values.includes(value))) ?? null;
  return { figure, level: column, hasSegments: split !== null, values };
}

/** Figures by bucket and segment. A customer with several values is in several segments, but once without segments. */
export function cohortSumsQuery(
  question: ChartQuestion,
  { figure, level, hasSegments, values: allowed }: CohortSumsQuestion,
): Query {
  const context = contextOf(question);
  const { values, project, from, to } = context;
  const place = windowOf(question) + 1;
  const amount = { customers: 's.customers', paying: `s.pays[${place}]`, converting: `s.converts[${place}]` };
  const environment = figure === 'customers' ? 'any' : question.environment;
  const filter = allowed === null ? null : `${values.add(allowed)}::text[]`;
  const isNeeded = figure === 'ltv' ? 's.customers > 0' : `${amount[figure]} > 0`;
  return finish(
    `${figure}_of_cohort_sums`,
    context,
    `SELECT to_char(${bucketSql('s.cohort_day', question.calendar)}, 'YYYY-MM-DD') AS bucket,
       ${hasSegments ? 'v.seg' : 'NULL::text'} AS seg,
       sum(${figure === 'ltv' ? `s.revenue[${place}]` : amount[figure]})::float8 AS ${figure}
     FROM chart_cohort_sums s ${hasSegments ? 'CROSS JOIN LATERAL unnest(s.values) v (seg)' : ''}
     WHERE s.project_id = ${project} AND s.environment = ${values.add(environment)} AND s.level = '${level}'
       AND s.cohort_day >= ${from} AND s.cohort_day <= ${to} AND ${isNeeded}
       ${filter === null ? '' : `AND s.values && ${filter} ${hasSegments ? `AND v.seg = ANY (${filter})` : ''}`}
     GROUP BY 1, 2`,
  );
}
