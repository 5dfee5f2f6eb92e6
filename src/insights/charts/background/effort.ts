import { type DimensionColumn, isCustomerColumn, levelOf } from '../definitions/dimensions.js';
import {
  type CustomerFigure,
  customerFigures,
  isCountedFigure,
  isViewFigure,
} from '../definitions/figures.js';
import { isOfCohortDays, MAX_OPEN_DAYS } from '../answers/cohort-days-query.js';
import { activityOf } from '../answers/activity-answer.js';
import { isOfCohorts } from '../answers/customer-query.js';
import { cohortSumsOf } from '../answers/cohort-sums-query.js';
import { countsOnce } from '../answers/series.service.js';
import type { ChartQuestion } from '../question/chart-question.js';

const DAY_MS = 86_400_000;
/** Milliseconds for a row, on a busy core. */
const COST = {
  customers: 0.0003,
  facts: 0.0016,
  payers: 0.001,
  runs: 0.0006,
  activeDays: 0.0004,
  views: 0.01,
};

/** Rows of a project, and its first day. */
export interface ProjectCounts {
  customers: number;
  facts: number;
  payers: number;
  runs: number;
  activeDays: number;
  /** Views of paywalls. */
  views: number;
  firstDayMs: number | null;
  closedUntilMs: number | null;
  /** Past days whose sums are not current. */
  dirtyDays: number;
  /** Whether all other past days are summed by the first days of customers. */
  hasCohortDays: boolean;
  /** Whether nearly all days have sums of active customers. */
  hasActiveDays: boolean;
  /** Levels whose cohorts are summed by sets of values. */
  cohortLevels: readonly string[];
}

export interface Effort {
  ms: number;
  /** How often all pieces are read. 0 if the question reads no customers. */
  reads: number;
  /** The share of the customers of a piece that a question reads, from 0 to 1. */
  share: number;
}

function shareOf({ startMs, endMs, nowMs }: ChartQuestion, firstDayMs: number | null): number {
  const firstMs = firstDayMs ?? startMs;
  const days = (Math.min(endMs, nowMs) - Math.max(startMs, firstMs)) / DAY_MS + 1;
  return Math.min(1, Math.max(0, days) / ((nowMs - firstMs) / DAY_MS + 1));
}

/** The number of days whose facts are read if the sums of the other days answer a question; null if they do not. */
function openDaysOf(
  question: ChartQuestion,
  { closedUntilMs, dirtyDays, hasCohortDays }: ProjectCounts,
): number | null {
  if (!hasCohortDays || closedUntilMs === null || !isOfCohortDays(question)) return null;
  const open = dirtyDays + Math.floor((question.nowMs - closedUntilMs) / DAY_MS);
  return open <= MAX_OPEN_DAYS ? open : null;
}

/** Estimates how long the reading of customers takes. */
export function effortOf(question: ChartQuestion, counts: ProjectCounts): Effort {
  const { chart, segment } = question;
  const share = shareOf(question, counts.firstDayMs);
  const costOf = (rows: keyof typeof COST): number => counts[rows] * COST[rows];
  if (chart.table !== 'series') {
    const open = openDaysOf(question, counts);
    if (open !== null) {
      const days = (question.nowMs - (counts.firstDayMs ?? question.nowMs)) / DAY_MS + 1;
      return { ms: costOf('facts') * Math.min(1, open / days), reads: 0, share };
    }
    if (chart.table === 'explorer')
      return { ms: (costOf('facts') + costOf('customers')) * share, reads: 2, share };
    // The status reads the runs of all times.
    const read = chart.table === 'status' ? 1 : share;
    return { ms: costOf('runs') * read, reads: 1, share: read };
  }
  if (chart.flows.some(isCountedFigure)) return { ms: 0, reads: 0, share };
  const column: DimensionColumn | null =
    segment === null || typeof segment === 'string' ? null : segment.column;
  let ms = 0;
  let reads = 0;
  const columns = [...question.filters.map(({ dimension }) => dimension.column), ...(column ? [column] : [])];
  const isOfCustomers = (figure: string): figure is CustomerFigure =>
    (customerFigures as readonly string[]).includes(figure);
  if (
    [...chart.flows, ...chart.stocks].some((figure) => !isOfCustomers(figure) && !isViewFigure(figure)) &&
    levelOf(columns) === null
  ) {
    ms += costOf('facts') * (chart.stocks.length > 0 ? 1 : share);
    reads++;
  }
  if (chart.flows.includes('pending_trials')) reads++;
  // A customer in several segments is counted once more in the total, and in the rest.
  const times = column !== null && !isCustomerColumn(column) && countsOnce(chart) ? 3 : 1;
  for (const figure of chart.flows.filter(isOfCustomers)) {
    if (isOfCohorts(figure, question, column)) continue;
    if (counts.cohortLevels.includes(cohortSumsOf(figure, question, column)?.level ?? '')) continue;
    if (figure === 'active_customers' && counts.hasActiveDays && activityOf(question) !== null) continue;
    reads += times;
    const converts = figure === 'ltv' && question.currency !== 'USD';
    const rows = figure === 'customers' ? 'customers' : converts ? 'facts' : 'payers';
    ms += times * share * costOf(figure === 'active_customers' ? 'activeDays' : rows);
  }
  // Customers of any age can see a paywall.
  if (chart.flows.some(isViewFigure) && counts.views > 0)
    return { ms: ms + times * costOf('views'), reads: reads + times, share: 1 };
  return { ms, reads, share };
}

/** Whether a question reads customers, if the sums of its project are stored. */
export function readsCustomers(question: ChartQuestion): boolean {
  const none = { customers: 0, facts: 0, payers: 0, runs: 0, activeDays: 0, views: 1, firstDayMs: null };
  const unsummed = {
    closedUntilMs: null,
    dirtyDays: 0,
    hasCohortDays: false,
    hasActiveDays: false,
    cohortLevels: [],
  };
  return effortOf(question, { ...none, ...unsummed }).reads > 0;
}
