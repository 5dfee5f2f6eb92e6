import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { currencies } from '../api/currencies.js';
import { atMost } from './at-most.js';
import type { Metric } from './metrics.js';

export const DAYS = 28;
const FEED_ROWS = 10;
const FEED_EVERY_MS = 15_000;

/** Figures belong to one environment; they are never added across both. */
export type FigureEnvironment = 'production' | 'sandbox';

// All tiles load at once, and the rest of the page should not wait for them.
const limit = atMost(2);

export const historyQuery = (
  projectId: string,
  metric: Metric,
  environment: FigureEnvironment,
  displayCurrency: string,
) => {
  const currency = currencies.find((name) => name === displayCurrency);
  return queryOptions({
    queryKey: [projectId, 'metrics', 'history', metric, environment, currency],
    queryFn: ({ signal }) =>
      limit(() =>
        call(
          api.GET('/v2/projects/{project_id}/metrics/history', {
            params: { path: { project_id: projectId }, query: { metric, environment, days: DAYS, currency } },
            signal,
          }),
        ),
      ),
  });
};

export const figuresQuery = (projectId: string, environment: FigureEnvironment) =>
  queryOptions({
    queryKey: [projectId, 'metrics', 'overview', environment],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/metrics/overview', {
          params: { path: { project_id: projectId }, query: { environment } },
          signal,
        }),
      ),
  });

export const feedQuery = (projectId: string, environment: FigureEnvironment | undefined) =>
  queryOptions({
    queryKey: [projectId, 'transactions', 'latest', environment ?? 'both'],
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/transactions', {
            params: { path: { project_id: projectId }, query: { environment, limit: FEED_ROWS } },
            signal,
          }),
        )
      ).items,
    // The cache itself pauses while the tab is hidden.
    refetchInterval: FEED_EVERY_MS,
  });
