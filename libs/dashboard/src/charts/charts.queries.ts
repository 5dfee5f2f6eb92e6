import { queryOptions } from '@tanstack/react-query';
import { CallError } from '../api/call-error.js';
import { api, call } from '../api/client.js';
import { currencies } from '../api/currencies.js';
import type { Query, Schema } from '../api/types.js';
import { askAgainMs, isComputing, retryMs } from './background-answers.js';
import type { Span } from './chart-range.js';
import { type ChartState, filtersOf, selectorsOf } from './chart-state.js';

export type ChartQuery = Query<'getChart'>;
type FigureEnvironment = NonNullable<ChartQuery['environment']>;

const pathOf = (projectId: string, chart: string) => ({
  path: { project_id: projectId, chart_name: chart },
});

/** Converts choices to parameters of the call. */
export function questionOf(
  state: ChartState,
  { start, end }: Span,
  resolution: string,
  environment: FigureEnvironment,
  displayCurrency: string,
): ChartQuery {
  const filters = filtersOf(state.filter);
  const selectors = selectorsOf(state);
  return {
    start_date: start,
    end_date: end,
    resolution,
    environment,
    currency: currencies.find((name) => name === (state.currency ?? displayCurrency)),
    segment: state.segment,
    filters: filters.length > 0 ? JSON.stringify(filters) : undefined,
    selectors: Object.keys(selectors).length > 0 ? JSON.stringify(selectors) : undefined,
  };
}

// Without a `format` the response is JSON.
const chartData = (projectId: string, chart: string, query: ChartQuery, signal: AbortSignal) =>
  call(
    api.GET('/v2/projects/{project_id}/charts/{chart_name}', {
      params: { ...pathOf(projectId, chart), query },
      signal,
    }),
  ) as Promise<Schema<'ChartDataDto'>>;

export const chartQuery = (projectId: string, chart: string, query: ChartQuery) =>
  queryOptions({
    queryKey: [projectId, 'charts', chart, 'data', query],
    queryFn: ({ signal }) => chartData(projectId, chart, query, signal),
    refetchInterval: ({ state }) => askAgainMs(state.error),
    // Keeps the drawing while other choices for the same chart load.
    placeholderData: (before, asked) => (asked?.queryKey[2] === chart ? before : undefined),
  });

/** The same query, which ignores a stored answer. Only for the first attempt: the next ones wait for its answer. */
export const freshChartQuery = (projectId: string, chart: string, query: ChartQuery) => ({
  ...chartQuery(projectId, chart, query),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    chartData(projectId, chart, { ...query, fresh: true }, signal),
  staleTime: 0,
});

/** One figure and its values for every chart. */
export const previewsQuery = (projectId: string, query: Query<'listCharts'>) =>
  queryOptions({
    queryKey: [projectId, 'charts', 'previews', query],
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/charts', {
            params: { path: { project_id: projectId }, query },
            signal,
          }),
        )
      ).items,
    // Keeps the pictures while another range or currency loads.
    placeholderData: (before) => before,
  });

export const chartOptionsQuery = (projectId: string, chart: string, environment: FigureEnvironment) =>
  queryOptions({
    queryKey: [projectId, 'charts', chart, 'options', environment],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/charts/{chart_name}/options', {
          params: { ...pathOf(projectId, chart), query: { environment } },
          signal,
        }),
      ),
    staleTime: 5 * 60_000,
  });

/** The server's CSV of the current question. Waits for a chart that is computed in the background. */
export async function chartCsv(projectId: string, chart: string, query: ChartQuery): Promise<string> {
  for (;;) {
    try {
      return await call(
        api.GET('/v2/projects/{project_id}/charts/{chart_name}', {
          params: { ...pathOf(projectId, chart), query: { ...query, format: 'csv' } },
          parseAs: 'text',
        }),
      );
    } catch (error) {
      if (!isComputing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs(error)));
    }
  }
}

export const isNotThere = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || error.param === 'chart_name');
