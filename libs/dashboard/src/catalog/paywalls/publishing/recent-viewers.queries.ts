import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../api/client.js';
import type { Schema } from '../../../api/types.js';
import { msToDay } from '../../../ui/format/format-time.js';

const DAY_MS = 86_400_000;
const DAYS = 7;

/** Customers who saw a paywall for the first time in the last 7 days. */
export const recentViewersQuery = (projectId: string, paywallId: string, nowMs: number) => {
  const [start, end] = [msToDay(nowMs - (DAYS - 1) * DAY_MS), msToDay(nowMs)];
  return queryOptions({
    queryKey: [projectId, 'charts', 'paywall_conversion', 'viewers', paywallId, start, end],
    queryFn: async ({ signal }): Promise<number> => {
      const { summary } = (await call(
        api.GET('/v2/projects/{project_id}/charts/{chart_name}', {
          params: {
            path: { project_id: projectId, chart_name: 'paywall_conversion' },
            query: {
              start_date: start,
              end_date: end,
              filters: JSON.stringify([{ name: 'paywall', values: [paywallId] }]),
              aggregate: ['total'],
            },
          },
          signal,
        }),
      )) as Schema<'ChartDataDto'>;
      return viewersIn(summary?.total);
    },
  });
};

function viewersIn(total: unknown): number {
  const viewers = (total as Record<string, unknown> | undefined)?.['Paywall Viewers'];
  return typeof viewers === 'number' ? viewers : 0;
}
