import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type Digest, digestsKey } from './digests.queries.js';

export type NewDigest = Schema<'CreateDigestDto'>;
export type DigestChanges = Schema<'UpdateDigestDto'>;

const pathOf = (projectId: string, digestId: string) => ({ project_id: projectId, digest_id: digestId });

export const useCreateDigest = (projectId: string, onDone: (digest: Digest) => void) =>
  useWrite({
    send: (body: NewDigest, header) =>
      call(
        api.POST('/v2/projects/{project_id}/digests', {
          params: { path: { project_id: projectId }, header },
          body,
        }),
      ),
    stale: () => [digestsKey(projectId)],
    onDone,
  });

export const useUpdateDigest = (projectId: string, digestId: string) =>
  useWrite({
    send: (body: DigestChanges, header) =>
      call(
        api.POST('/v2/projects/{project_id}/digests/{digest_id}', {
          params: { path: pathOf(projectId, digestId), header },
          body,
        }),
      ),
    stale: () => [digestsKey(projectId)],
  });

export const useDeleteDigest = (projectId: string, digestId: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/digests/{digest_id}', {
          params: { path: pathOf(projectId, digestId) },
          headers,
        }),
      ),
    stale: () => [[...digestsKey(projectId), 'list']],
  });

export const useSendDigest = (projectId: string, digestId: string) =>
  useWrite({
    send: (_: void, header) =>
      call(
        api.POST('/v2/projects/{project_id}/digests/{digest_id}/actions/send_now', {
          params: { path: pathOf(projectId, digestId), header },
        }),
      ),
    stale: () => [digestsKey(projectId)],
  });
