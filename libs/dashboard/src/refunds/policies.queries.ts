import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { allItems } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type RefundPolicy = Schema<'RefundPolicyDto'>;
export type PolicyBody = Schema<'CreateRefundPolicyDto'>;

const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofPolicy = (projectId: string, policyId: string) => ({
  path: { project_id: projectId, policy_id: policyId },
});
const stalePolicies = (projectId: string) => [[projectId, 'refund-policies']];

/** All policies in order of evaluation; the default one is last. */
export const policiesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'refund-policies', 'list'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/refund_policies', {
            params: { ...inProject(projectId), query: page },
            signal,
          }),
        signal,
      ),
  });

export const useCreatePolicy = (projectId: string) =>
  useWrite({
    send: (body: PolicyBody, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/refund_policies', {
          params: inProject(projectId),
          body,
          headers,
        }),
      ),
    stale: () => stalePolicies(projectId),
  });

export const useUpdatePolicy = (projectId: string) =>
  useWrite({
    send: ({ id, ...body }: Schema<'UpdateRefundPolicyDto'> & { id: string }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/refund_policies/{policy_id}', {
          params: ofPolicy(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => stalePolicies(projectId),
  });

export const useDeletePolicy = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/refund_policies/{policy_id}', {
          params: ofPolicy(projectId, id),
          headers,
        }),
      ),
    stale: () => stalePolicies(projectId),
  });

/** Sends the ids of all policies except the default one, in order of evaluation. */
export const useReorderPolicies = (projectId: string) =>
  useWrite({
    send: (ids: string[], headers) =>
      call(
        api.PUT('/v2/projects/{project_id}/refund_policies/priority_list', {
          params: inProject(projectId),
          body: { policy_ids: ids },
          headers,
        }),
      ),
    stale: () => stalePolicies(projectId),
  });
