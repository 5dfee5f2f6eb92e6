import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type ApiKey = Schema<'ApiKeyDto'>;

const keysKey = (projectId: string) => [projectId, 'api-keys'];

export const apiKeysQuery = (projectId: string) =>
  pagedQuery(keysKey(projectId), (page, signal) =>
    api.GET('/v2/projects/{project_id}/api_keys', {
      params: {
        path: { project_id: projectId },
        query: page,
      },
      signal,
    }),
  );

export const useCreateApiKey = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateApiKeyDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/api_keys', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [keysKey(projectId)],
  });

export const useRevokeApiKey = (projectId: string) =>
  useWrite({
    send: ({ id }: ApiKey, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/api_keys/{key_id}', {
          params: { path: { project_id: projectId, key_id: id } },
          headers,
        }),
      ),
    stale: () => [keysKey(projectId)],
  });
