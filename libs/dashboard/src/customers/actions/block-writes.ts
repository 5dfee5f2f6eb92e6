import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { customersKey } from '../customers.queries.js';

export function useBlockWrites(projectId: string) {
  const stale = () => [customersKey(projectId), [projectId, 'blocked']];
  const block = useWrite({
    send: (body: Schema<'BlockCustomerDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/blocked_customers', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale,
  });
  const unblock = useWrite({
    send: (appUserId: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/blocked_customers/{app_user_id}', {
          params: { path: { project_id: projectId, app_user_id: appUserId } },
          headers,
        }),
      ),
    stale,
  });
  return { block, unblock };
}
