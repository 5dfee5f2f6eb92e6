import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage, PAGE_SIZE } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type ApiKey = Schema<'ApiKeyDto'>;

const keysKey = (projectId: string) => [projectId, 'api-keys'];

export const apiKeysQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: keysKey(projectId),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/api_keys', {
          params: {
            path: { project_id: projectId },
            query: { limit: PAGE_SIZE, starting_after: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOfNextPage,
  });

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
