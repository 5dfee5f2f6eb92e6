import { queryOptions } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.queries.js';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type ProjectSettings = Schema<'ProjectSettingsDto'>;
export type TransferBehavior = ProjectSettings['transfer_behavior'];
export type SdkEventsSetting = ProjectSettings['sdk_events'];
export type WeekStart = ProjectSettings['week_starts_on'];

const pathOf = (projectId: string) => ({ path: { project_id: projectId } });

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'project'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/projects/{project_id}', { params: pathOf(projectId), signal })),
  });

export const useUpdateProject = (projectId: string) =>
  useWrite({
    send: (body: Schema<'UpdateProjectDto'>, headers) =>
      call(api.POST('/v2/projects/{project_id}', { params: pathOf(projectId), body, headers })),
    // The project's settings determine the week start and the attributes of charts.
    stale: () => [projectQuery(projectId).queryKey, accountQuery.queryKey, [projectId, 'charts']],
  });

export const useDeleteProject = (projectId: string) =>
  useWrite({
    send: (_: undefined, headers) =>
      call(api.DELETE('/v2/projects/{project_id}', { params: pathOf(projectId), headers })),
  });
