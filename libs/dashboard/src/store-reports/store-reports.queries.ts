import { queryOptions } from '@tanstack/react-query';
import { allApps, storeSettingsOf } from '../api/apps.queries.js';
import { api, call } from '../api/client.js';
import { pagedQuery, type ReadPage } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type StoreReport = Schema<'ExternalPurchaseReportDto'>;
export type OutsideToken = Schema<'ExternalPurchaseTokenDto'>;
export type ReportedMonth = Schema<'ExternalPurchaseMonthDto'>;
export type ReportFilter = Pick<Query<'listExternalPurchaseReports'>, 'state' | 'month'>;

const reportsKey = (projectId: string) => [projectId, 'store-reports'];

export const reportsQuery = (projectId: string, filter: ReportFilter) =>
  pagedQuery([...reportsKey(projectId), filter], (page, signal) =>
    api.GET('/v2/projects/{project_id}/external_purchase_reports', {
      params: { path: { project_id: projectId }, query: { ...filter, ...page } },
      signal,
    }),
  );

export const monthsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...reportsKey(projectId), 'months'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/external_purchase_reports/months', {
          params: { path: { project_id: projectId } },
          signal,
        }),
      ),
  });

/** App types whose stores get reports. */
const reportingTypes: readonly string[] = ['app_store', 'mac_app_store', 'play_store'];

/** Settings that turn reports on, whichever the store has. */
const reportingSettings = ['external_purchase_reports', 'external_transaction_reports'];

const isReporting = (settings: object): boolean =>
  Object.entries(settings).some(
    ([name, value]: [string, { enabled?: unknown } | null]) =>
      reportingSettings.includes(name) && value?.enabled === true,
  );

/** Whether an app reports purchases to its store. */
export const reportingQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', 'reporting'],
    queryFn: async ({ signal }) => {
      const apps = await allApps(projectId, signal);
      const settings = apps
        .filter(({ type }) => reportingTypes.includes(type))
        .map(({ id }) => storeSettingsOf(projectId, id, signal));
      return (await Promise.all(settings)).some(isReporting);
    },
  });

export const tokensPage =
  (projectId: string): ReadPage<OutsideToken> =>
  (page, signal) =>
    api.GET('/v2/projects/{project_id}/external_purchase_tokens', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    });

export const tokensQuery = (projectId: string) =>
  pagedQuery([projectId, 'outside-tokens'], tokensPage(projectId));

export const useSendAgain = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/external_purchase_reports/{report_id}/actions/send_again', {
          params: { path: { project_id: projectId, report_id: id } },
          headers,
        }),
      ),
    stale: () => [reportsKey(projectId)],
  });

/** The reports of a month as CSV. */
export const monthCsv = (projectId: string, month: string): Promise<string> =>
  call(
    api.GET('/v2/projects/{project_id}/external_purchase_reports.csv', {
      params: { path: { project_id: projectId }, query: { month } },
      parseAs: 'text',
    }),
  );
