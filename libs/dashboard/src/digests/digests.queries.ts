import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { allItems, pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';

export type Digest = Schema<'DigestDto'>;

/** A place that a digest can be sent to. */
export interface Place {
  id: string;
  label: string;
}

/** Prefix of all query keys of digests. */
export const digestsKey = (projectId: string) => [projectId, 'digests'];

export const digestList = (projectId: string) =>
  pagedQuery([...digestsKey(projectId), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/digests', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    }),
  );

export const digestQuery = (projectId: string, digestId: string) =>
  queryOptions({
    queryKey: [...digestsKey(projectId), 'one', digestId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/digests/{digest_id}', {
          params: { path: { project_id: projectId, digest_id: digestId } },
          signal,
        }),
      ),
  });

export const previewQuery = (projectId: string, digestId: string) =>
  queryOptions({
    queryKey: [...digestsKey(projectId), 'preview', digestId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/digests/{digest_id}/preview', {
          params: { path: { project_id: projectId, digest_id: digestId } },
          signal,
        }),
      ),
  });

const toolNames: Record<string, string> = { slack: 'Slack', discord: 'Discord' };

/** Destinations of chat tools. */
export const channelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...digestsKey(projectId), 'channels'],
    queryFn: async ({ signal }): Promise<Place[]> => {
      const all = await allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/integrations/destinations', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      );
      return all.flatMap(({ id, name, type }) => {
        const tool = toolNames[type];
        return tool === undefined ? [] : [{ id, label: name === tool ? name : `${name} (${tool})` }];
      });
    },
  });

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...digestsKey(projectId), 'members'],
    queryFn: async ({ signal }): Promise<Place[]> => {
      const all = await allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/collaborators', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      );
      return all.map(({ id, name, email }) => ({ id, label: name ? `${name} (${email})` : email }));
    },
  });
