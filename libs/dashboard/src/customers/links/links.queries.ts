import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { customerKey } from '../customers.queries.js';

export type RedemptionLink = Schema<'RedemptionLinkDto'>;
export type LinkStatus = RedemptionLink['status'];

const keyOf = (projectId: string, id: string) => [...customerKey(projectId, id), 'redemption-links'];

export const linksQuery = (projectId: string, id: string) =>
  pagedQuery(keyOf(projectId, id), (page, signal) =>
    api.GET('/v2/projects/{project_id}/customers/{customer_id}/redemption_links', {
      params: { path: { project_id: projectId, customer_id: id }, query: page },
      signal,
    }),
  );

export const useCreateLink = (projectId: string, customerId: string) =>
  useWrite({
    send: (body: Schema<'CreateRedemptionLinkDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/redemption_links', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [keyOf(projectId, customerId)],
  });

export const useResendLink = (projectId: string, customerId: string) =>
  useWrite({
    send: (linkId: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/redemption_links/{link_id}/actions/resend', {
          params: { path: { project_id: projectId, link_id: linkId } },
          headers,
        }),
      ),
    stale: () => [keyOf(projectId, customerId)],
  });

export const useRevokeLink = (projectId: string, customerId: string) =>
  useWrite({
    send: (linkId: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/redemption_links/{link_id}/actions/revoke', {
          params: { path: { project_id: projectId, link_id: linkId } },
          headers,
        }),
      ),
    stale: () => [keyOf(projectId, customerId)],
  });
