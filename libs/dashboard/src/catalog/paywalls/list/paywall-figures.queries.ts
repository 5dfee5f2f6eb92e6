import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../api/client.js';
import type { Schema } from '../../../api/types.js';
import { msToDay } from '../../../ui/format/format-time.js';
import { figuresOf } from './paywall-figures.js';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** More paywalls cannot be published. */
const MOST_PAYWALLS = 100;

/** Viewers and conversions of each paywall in the last 30 days. */
export const paywallFiguresQuery = (
  projectId: string,
  environment: 'production' | 'sandbox',
  nowMs: number,
) => {
  const [start, end] = [msToDay(nowMs - (DAYS - 1) * DAY_MS), msToDay(nowMs)];
  return queryOptions({
    queryKey: [projectId, 'charts', 'paywall_conversion', 'figures', environment, start, end],
    queryFn: async ({ signal }) =>
      figuresOf(
        (await call(
          api.GET('/v2/projects/{project_id}/charts/{chart_name}', {
            params: {
              path: { project_id: projectId, chart_name: 'paywall_conversion' },
              query: {
                environment,
                start_date: start,
                end_date: end,
                segment: 'paywall',
                limit_num_segments: MOST_PAYWALLS,
                aggregate: ['total'],
              },
            },
            signal,
          }),
        )) as Schema<'ChartDataDto'>,
      ),
  });
};
