import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type PreviewBody = Schema<'PreviewRefundPoliciesDto'>;

/** Changes nothing, so nothing is invalidated. */
export const usePreviewPolicies = (projectId: string) =>
  useWrite({
    send: (body: PreviewBody, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/refund_policies/actions/preview', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
  });
