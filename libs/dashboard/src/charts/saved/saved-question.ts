import type { Schema } from '../../api/types.js';
import type { Environment } from '../../frame/environments.js';
import {
  type ChartState,
  filtersOf,
  filterText,
  readChartState,
  selectorIds,
  selectorsOf,
} from '../chart-state.js';

export type SavedParameters = Schema<'SavedChartParametersDto'>;

/** The address of a chart's page. */
export type ChartSearch = ChartState & { env?: Environment };

/** The parameters of the API for the choices on the page of a chart. */
export function parametersOf({ env, ...state }: ChartSearch): SavedParameters {
  const { range, from, to, filter, resolution, segment, currency, compare, draw, shown, scale } = state;
  const filters = filtersOf(filter);
  const selectors = selectorsOf(state);
  const isSwapped = from !== undefined && to !== undefined && from > to;
  const [start_date, end_date] = range !== 'custom' ? [] : isSwapped ? [to, from] : [from, to];
  const parameters = {
    range,
    start_date,
    end_date,
    resolution,
    segment,
    currency,
    compare,
    draw,
    shown,
    scale,
    environment: env === 'both' ? undefined : env,
    filters: filters.length > 0 ? filters : undefined,
    selectors: Object.keys(selectors).length > 0 ? selectors : undefined,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** The address that asks a saved question. Every choice is named, so that none of another chart stays. */
export function searchOf(parameters: SavedParameters): ChartSearch {
  const { start_date: from, end_date: to, environment, filters = [], selectors, ...others } = parameters;
  const state = readChartState({
    ...others,
    ...selectors,
    from,
    to,
    filter: filters.flatMap(({ name, values }) => values.map((value) => filterText(name, value))),
  });
  const none = Object.fromEntries(
    [...selectorIds, ...stateNames].map((name) => [name, undefined]),
  ) as ChartState;
  const search: ChartSearch = { ...none, ...state };
  return environment === undefined ? search : { ...search, env: environment };
}

const stateNames = [
  'range',
  'from',
  'to',
  'resolution',
  'segment',
  'filter',
  'currency',
  'compare',
  'draw',
  'shown',
  'scale',
] as const;

/** Whether a saved chart asks the same as the page. The order of fields does not matter. */
export function isSameQuestion(one: SavedParameters, other: SavedParameters): boolean {
  const text = (parameters: SavedParameters) =>
    JSON.stringify(
      Object.entries(parametersOf(searchOf(parameters))).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return text(one) === text(other);
}
