import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type RedemptionSettings = Schema<'RedemptionSettingsDto'>;
export type RedemptionMode = RedemptionSettings['enabled'];

const at = (projectId: string) => ({ path: { project_id: projectId } });

export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'redemption-settings'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/projects/{project_id}/redemption_settings', { params: at(projectId), signal })),
  });

export const useUpdateSettings = (projectId: string) =>
  useWrite({
    send: (body: Schema<'UpdateRedemptionSettingsDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/redemption_settings', { params: at(projectId), body, headers }),
      ),
    stale: () => [settingsQuery(projectId).queryKey],
  });
