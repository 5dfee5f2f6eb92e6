import { createHash } from 'node:crypto';
import { withAttributes } from '../definitions/attribute-dimensions.js';
import type { Selected } from '../definitions/chart.model.js';
import { chartOfName } from '../definitions/charts.js';
import { isOwnSegment } from '../definitions/own-segments.js';
import type { Calendar } from '../question/buckets.js';
import { type ChartQuestion, dimensionOf } from '../question/chart-question.js';
import type { DisplayCurrency } from '../../../platform/exchange-rates/display-currencies.js';

/** Everything that determines the sums of a question, except the time at which it is asked. */
export interface StoredQuestion {
  chart: string;
  environment: 'production' | 'sandbox';
  calendar: Calendar;
  startMs: number;
  endMs: number;
  filters: [name: string, values: string[]][];
  selected: Selected;
  segment: string | null;
  limitSegments: number;
  currency: DisplayCurrency;
}

/** Orders filters and their values, because their order changes nothing. */
export function storedQuestion(question: ChartQuestion): StoredQuestion {
  const { chart, environment, calendar, startMs, endMs, filters, selected, segment, currency } = question;
  const named = filters.map(({ dimension, values }): [string, string[]] => [
    dimension.id,
    [...new Set(values)].sort(),
  ]);
  return {
    chart: chart.id,
    environment,
    calendar,
    startMs,
    endMs,
    filters: named.sort(([a], [b]) => (a < b ? -1 : 1)),
    selected,
    segment: segment === null || typeof segment === 'string' ? segment : segment.id,
    limitSegments: segment === null ? 0 : question.limitSegments,
    currency,
  };
}

export function hashOf(stored: StoredQuestion): string {
  return createHash('sha256').update(JSON.stringify(stored)).digest('hex');
}

/** Returns null if the project can no longer ask it. */
export function restoredQuestion(
  projectId: string,
  stored: StoredQuestion,
  chartAttributes: readonly string[],
  nowMs: number,
): ChartQuestion | null {
  const named = chartOfName(stored.chart);
  if (!named) return null;
  const chart = withAttributes(named, chartAttributes);
  const { segment: id } = stored;
  const hasFilters = stored.filters.every(([name]) => chart.filters.includes(name));
  if (!hasFilters || (id !== null && !chart.segments.includes(id))) return null;
  const segment = id === null || isOwnSegment(id) ? id : dimensionOf(chart, id);
  const filters = stored.filters.flatMap(([name, values]) => {
    const dimension = dimensionOf(chart, name);
    return dimension ? [{ dimension, values }] : [];
  });
  const { environment, calendar, startMs, endMs, selected, currency, limitSegments } = stored;
  return {
    projectId,
    chart,
    environment,
    calendar,
    askedStartMs: startMs,
    startMs,
    endMs,
    nowMs,
    filters,
    selected,
    segment,
    segmentNames: new Map(),
    limitSegments,
    aggregate: null,
    currency,
    includeAnnotations: false,
  };
}
