import { day, list, oneOf, search, text } from '../frame/search.js';
import { ranges, resolutions } from './chart-range.js';

export const drawings = ['line', 'area', 'column', 'share'] as const;
export type DrawAs = (typeof drawings)[number];

/** Ids of selectors, the same in the address as in the API. */
export const selectorIds = [
  'revenue_type',
  'conversion_timeframe',
  'customer_lifetime',
  'encounter_timeframe',
  'conversion_type',
  'show',
  'measure',
  'cohorting_date',
  'cohort_measure',
] as const;

const read = search({
  range: oneOf(...ranges),
  from: day(),
  to: day(),
  resolution: oneOf(...resolutions),
  segment: text(),
  filter: list(),
  currency: text(),
  compare: oneOf('before'),
  draw: oneOf(...drawings),
  shown: text(),
  scale: oneOf('absolute'),
  revenue_type: text(),
  conversion_timeframe: text(),
  customer_lifetime: text(),
  encounter_timeframe: text(),
  conversion_type: text(),
  show: text(),
  measure: text(),
  cohorting_date: text(),
  cohort_measure: text(),
});

/** All choices on a chart's page, as stored in the address. */
export type ChartState = ReturnType<typeof read>;
export const readChartState = (given: object): ChartState => read(given as Record<string, unknown>);

export interface Filter {
  name: string;
  values: string[];
}

const IS = ':=:';

/** Merges `country:=:US` and `country:=:GB` into one filter with two values. Skips invalid filters. */
export function filtersOf(texts: readonly string[] = []): Filter[] {
  const filters: Filter[] = [];
  for (const one of texts) {
    const at = one.indexOf(IS);
    if (at <= 0) continue;
    const [name, value] = [one.slice(0, at), one.slice(at + IS.length)];
    const known = filters.find((filter) => filter.name === name);
    if (!known) filters.push({ name, values: [value] });
    else if (!known.values.includes(value)) known.values.push(value);
  }
  return filters;
}

export const filterText = (name: string, value: string): string => name + IS + value;

/** The selectors that are set. */
export function selectorsOf(state: ChartState): Record<string, string> {
  return Object.fromEntries(
    selectorIds.flatMap((id) => {
      const value = state[id];
      return value === undefined ? [] : [[id, value]];
    }),
  );
}
