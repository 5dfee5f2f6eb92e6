import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems } from '../../api/paging.js';
import type { Query, Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type SavedChart = Schema<'SavedChartDto'>;
export type BoardChart = Schema<'BoardChartDto'>;

const savedKey = (projectId: string) => [projectId, 'saved-charts'] as const;
const boardKey = (projectId: string) => [...savedKey(projectId), 'board'] as const;

/** All saved charts that the person sees, in the order of the board. */
export const savedChartsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...savedKey(projectId), 'list'],
    queryFn: async ({ signal }) =>
      (
        await allItems(
          (page) =>
            api.GET('/v2/projects/{project_id}/saved_charts', {
              params: { path: { project_id: projectId }, query: page },
              signal,
            }),
          signal,
        )
      ).toSorted((a, b) => a.position - b.position || a.created_at - b.created_at),
  });

export const boardQuery = (projectId: string, query: Query<'getChartBoard'>) =>
  queryOptions({
    queryKey: [...boardKey(projectId), query],
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/chart_board', {
            params: { path: { project_id: projectId }, query },
            signal,
          }),
        )
      ).items,
    // Keeps the pictures while another currency loads.
    placeholderData: (before) => before,
  });

export const useSaveChart = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateSavedChartDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/saved_charts', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [savedKey(projectId)],
  });

const pathOf = (projectId: string, id: string) => ({
  path: { project_id: projectId, saved_chart_id: id },
});

export const useRenameSavedChart = (projectId: string, id: string) =>
  useWrite({
    send: (body: { display_name: string }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/saved_charts/{saved_chart_id}', {
          params: pathOf(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => [savedKey(projectId)],
  });

export const useDeleteSavedChart = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/saved_charts/{saved_chart_id}', {
          params: pathOf(projectId, id),
          headers,
        }),
      ),
    stale: () => [savedKey(projectId)],
  });

export const useReorderBoard = (projectId: string) =>
  useWrite({
    send: (ids: string[], headers) =>
      call(
        api.PUT('/v2/projects/{project_id}/chart_board', {
          params: { path: { project_id: projectId } },
          body: { saved_chart_ids: ids },
          headers,
        }),
      ),
    stale: () => [savedKey(projectId)],
  });
