import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery, type ReadPage } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type RefundRequest = Schema<'RefundRequestDto'>;
export type AnswerStatus = RefundRequest['answer_status'];
type Environment = RefundRequest['environment'];

const key = (projectId: string) => [projectId, 'refund-requests'];
const ofRequest = (projectId: string, requestId: string) => ({
  path: { project_id: projectId, refund_request_id: requestId },
});
const POLL_MS = 60_000;

/** Whether the request can still be answered. */
export const isOpen = ({ answer_status: status }: RefundRequest): boolean =>
  status === 'waiting' || status === 'held';

export interface RequestFilter {
  answer_status?: AnswerStatus;
  environment?: Environment;
}

export const requestsPage =
  (projectId: string, filter: RequestFilter): ReadPage<RefundRequest> =>
  (page, signal) =>
    api.GET('/v2/projects/{project_id}/refund_requests', {
      params: { path: { project_id: projectId }, query: { ...page, ...filter } },
      signal,
    });

export const requestsQuery = (projectId: string, filter: RequestFilter) =>
  pagedQuery([...key(projectId), 'list', filter], requestsPage(projectId, filter), () => POLL_MS);

/** Up to a hundred requests that wait for a person. */
export const heldQuery = (projectId: string, environment: Environment | undefined) =>
  queryOptions({
    queryKey: [...key(projectId), 'held', environment],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/refund_requests', {
          params: {
            path: { project_id: projectId },
            query: { limit: 100, answer_status: 'held', environment },
          },
          signal,
        }),
      ),
    refetchInterval: POLL_MS,
  });

export const requestQuery = (projectId: string, requestId: string) =>
  queryOptions({
    queryKey: [...key(projectId), 'one', requestId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/refund_requests/{refund_request_id}', {
          params: ofRequest(projectId, requestId),
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });

export const useAnswerRequest = (projectId: string, requestId: string) =>
  useWrite({
    send: (body: Schema<'AnswerRefundRequestDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/refund_requests/{refund_request_id}/actions/answer', {
          params: ofRequest(projectId, requestId),
          body,
          headers,
        }),
      ),
    stale: () => [key(projectId)],
  });

export const useLeaveRequest = (projectId: string, requestId: string) =>
  useWrite({
    send: (body: Schema<'LeaveRefundRequestDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/refund_requests/{refund_request_id}/actions/do_not_answer', {
          params: ofRequest(projectId, requestId),
          body,
          headers,
        }),
      ),
    stale: () => [key(projectId)],
  });
