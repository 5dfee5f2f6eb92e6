import type { Figure } from './figures.js';

export type Unit = '$' | '#' | '%';
export type DisplayType = 'line' | 'bar' | 'stacked_bar' | 'cohort';

/** Sums of one bucket: what happened in it, and the state at its beginning and its end. */
export interface Sums {
  flow: (figure: Figure) => number;
  start: (figure: Figure) => number;
  end: (figure: Figure) => number;
}

export interface Measure {
  id: string;
  name: string;
  description: string;
  unit: Unit;
  /** Of its display; values have cents. */
  precision?: number;
  /** What `summary` has of it. */
  summary: 'both' | 'average';
  value: (sums: Sums) => number;
  /** The denominator of a rate. A rate whose denominator is 0 is 0 in values and null in `summary`. */
  whole?: (sums: Sums) => number;
}

export interface SelectorOption {
  id: string;
  name: string;
}

export interface Selector {
  id: string;
  name: string;
  /** The first one is the default. */
  options: readonly SelectorOption[];
}

export type Selected = Readonly<Record<string, string>>;

interface ChartBase {
  /** As in the path. */
  id: string;
  name: string;
  category: 'revenue' | 'subscriptions' | 'ltv' | 'customers' | 'conversion' | 'trials' | 'churn';
  display: DisplayType;
  /** What it shows, in one or two sentences. */
  description: string;
  /** How it is computed, in one sentence. */
  formula: string;
  /** One case, for the documentation. */
  example: string;
  /** Ids of the dimensions that filter it, and of those that split it; empty: no segments. */
  filters: readonly string[];
  segments: readonly string[];
  /** Countries, platforms and the like are the customer's. */
  countsCustomers: boolean;
  selectors: readonly Selector[];
}

/** Values by bucket of time. */
export interface SeriesChart extends ChartBase {
  table: 'series';
  /**
   * `flow`: what happened in a bucket; `stock`: the state at its end; `cohort`: what is known now about those who
   * began in it; `trials`: the same of trials.
   */
  time: 'flow' | 'stock' | 'cohort' | 'trials';
  flows: readonly Figure[];
  stocks: readonly Figure[];
  measures: (selected: Selected) => readonly Measure[];
}

/** Values by cohort and period after it, or a single snapshot. */
export interface TableChart extends ChartBase {
  table: 'retention' | 'explorer' | 'status';
}

export type Chart = SeriesChart | TableChart;
