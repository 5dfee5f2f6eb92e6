import { attributeDimension } from '../definitions/attribute-dimensions.js';
import type { Chart, Selected } from '../definitions/chart.model.js';
import {
  customerCountry,
  type Dimension,
  dimensionAliases,
  dimensions,
  paywall,
} from '../definitions/dimensions.js';
import type { OwnSegment } from '../definitions/own-segments.js';
import type { Calendar } from './buckets.js';
import type { DisplayCurrency } from '../../../platform/exchange-rates/display-currencies.js';

export interface Filter {
  dimension: Dimension;
  values: readonly string[];
  /** Whether the values are those that do not pass. Only for paywalls. */
  isNegated?: boolean;
}

export type Aggregate = 'average' | 'total';

/** A question to a chart, with everything that determines the answer. */
export interface ChartQuestion {
  projectId: string;
  chart: Chart;
  environment: 'production' | 'sandbox';
  calendar: Calendar;
  /** Days (their starts), both included. With `expand_periods`, the first bucket starts before the requested day. */
  askedStartMs: number;
  startMs: number;
  endMs: number;
  nowMs: number;
  filters: readonly Filter[];
  selected: Selected;
  /** A dimension, or a segment that only this chart has. */
  segment: Dimension | OwnSegment | null;
  /** Display names of the segment's values, by id. Other values are their own names. */
  segmentNames: ReadonlyMap<string, string>;
  limitSegments: number;
  aggregate: ReadonlySet<Aggregate> | null;
  currency: DisplayCurrency;
  includeAnnotations: boolean;
}

/** Resolves the name of a dimension for a chart. */
export function dimensionOf(chart: Chart, name: string): Dimension | null {
  const id = dimensionAliases[name] ?? name;
  if (id === paywall.id) return paywall;
  if (id === 'country' && chart.countsCustomers) return customerCountry;
  return dimensions.find((dimension) => dimension.id === id) ?? attributeDimension(id);
}
