import { attributeDimension } from '../definitions/attribute-dimensions.js';
import type { Chart, Selected } from '../definitions/chart.model.js';
import { customerCountry, type Dimension, dimensionAliases, dimensions } from '../definitions/dimensions.js';
import type { Calendar } from './buckets.js';
import type { ChartCurrency } from './currencies.js';

export interface Filter {
  dimension: Dimension;
  values: readonly string[];
}

export type Aggregate = 'average' | 'total';

/** One question to a chart, with everything that decides the answer. */
export interface ChartQuestion {
  projectId: string;
  chart: Chart;
  environment: 'production' | 'sandbox';
  calendar: Calendar;
  /** Days (their starts), both included. With `expand_periods` the first bucket starts before the day that was asked for. */
  askedStartMs: number;
  startMs: number;
  endMs: number;
  nowMs: number;
  filters: readonly Filter[];
  selected: Selected;
  /** A dimension, or the month in which subscriptions end. */
  segment: Dimension | 'expiration_month' | null;
  /** What people call the values of the segment, by id; others are their own names. */
  segmentNames: ReadonlyMap<string, string>;
  limitSegments: number;
  aggregate: ReadonlySet<Aggregate> | null;
  currency: ChartCurrency;
  includeAnnotations: boolean;
}

/** What a chart means by the name of a dimension. */
export function dimensionOf(chart: Chart, name: string): Dimension | null {
  const id = dimensionAliases[name] ?? name;
  if (id === 'country' && chart.countsCustomers) return customerCountry;
  return dimensions.find((dimension) => dimension.id === id) ?? attributeDimension(id);
}
