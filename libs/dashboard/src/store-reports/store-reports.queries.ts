import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Query, Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type StoreReport = Schema<'ExternalPurchaseReportDto'>;
export type OutsideToken = Schema<'ExternalPurchaseTokenDto'>;
export type ReportFilter = Pick<Query<'listExternalPurchaseReports'>, 'state' | 'month'>;

const reportsKey = (projectId: string) => [projectId, 'store-reports'];

export const reportsQuery = (projectId: string, filter: ReportFilter) =>
  pagedQuery([...reportsKey(projectId), filter], (page, signal) =>
    api.GET('/v2/projects/{project_id}/external_purchase_reports', {
      params: { path: { project_id: projectId }, query: { ...filter, ...page } },
      signal,
    }),
  );

export const tokensQuery = (projectId: string) =>
  pagedQuery([projectId, 'outside-tokens'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/external_purchase_tokens', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    }),
  );

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
