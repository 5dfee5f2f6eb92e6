import type { Figure } from './figures.js';

export type Unit = '$' | '#' | '%';
export type DisplayType = 'line' | 'bar' | 'stacked_bar' | 'cohort';

/** Sums of one bucket: its changes, and the states at its start and end. */
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
  /** Decimal places to display; values have cents. */
  precision?: number;
  /** Content of `summary`. */
  summary: 'both' | 'average';
  value: (sums: Sums) => number;
  /** The denominator of a rate. If it is 0, the rate is 0 in values and null in `summary`. */
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

type Category = 'revenue' | 'subscriptions' | 'ltv' | 'customers' | 'conversion' | 'trials' | 'churn';

interface ChartBase {
  /** Id in the path. */
  id: string;
  name: string;
  category: Category;
  /** Text below the chart's name in the dashboard's list. */
  about: string;
  /** Category in the dashboard's list, if it differs. */
  listedAs?: Category | 'paywalls';
  display: DisplayType;
  /** Description in one or two sentences. */
  description: string;
  /** Calculation, in one sentence. */
  formula: string;
  /** An example for the documentation. */
  example: string;
  /** Ids of the dimensions that filter and split the chart. No `segments` means it cannot be split. */
  filters: readonly string[];
  segments: readonly string[];
  /** Whether countries, platforms and the like describe the customer. */
  countsCustomers: boolean;
  selectors: readonly Selector[];
}

/** Values by time bucket. */
export interface SeriesChart extends ChartBase {
  table: 'series';
  /**
   * `flow`: changes in a bucket; `stock`: the state at its end; `cohort`: current figures of those who started in it;
   * `trials`: like `cohort`, for trials.
   */
  time: 'flow' | 'stock' | 'cohort' | 'trials';
  flows: readonly Figure[];
  stocks: readonly Figure[];
  measures: (selected: Selected) => readonly Measure[];
  /** Days after the first day of a cohort in which its figures are counted, unless a selector of windows says it. */
  windowDays?: (selected: Selected) => number;
  /** Days after which a bucket counts as complete, if its values change later. */
  changesForDays?: number;
}

/** Values by cohort and subsequent period, or a single snapshot. */
export interface TableChart extends ChartBase {
  table: 'retention' | 'explorer' | 'status';
}

export type Chart = SeriesChart | TableChart;
