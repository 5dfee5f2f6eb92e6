import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import type { Span } from '../chart-range.js';

export type ChartNote = Schema<'ChartNoteDto'>;

const MOST_NOTES = 100;
const notesKey = (projectId: string) => [projectId, 'chart-notes'];

/** The notes on the days of a chart. */
export const notesQuery = (projectId: string, { start, end }: Span) =>
  queryOptions({
    queryKey: [...notesKey(projectId), start, end],
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/chart_notes', {
            params: {
              path: { project_id: projectId },
              query: { start_date: start, end_date: end, limit: MOST_NOTES },
            },
            signal,
          }),
        )
      ).items.toSorted((a, b) => a.date.localeCompare(b.date)),
  });

export const useCreateNote = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateChartNoteDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/chart_notes', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [notesKey(projectId)],
  });

export const useUpdateNote = (projectId: string, id: string) =>
  useWrite({
    send: (body: Schema<'CreateChartNoteDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/chart_notes/{chart_note_id}', {
          params: { path: { project_id: projectId, chart_note_id: id } },
          body,
          headers,
        }),
      ),
    stale: () => [notesKey(projectId)],
  });

export const useDeleteNote = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/chart_notes/{chart_note_id}', {
          params: { path: { project_id: projectId, chart_note_id: id } },
          headers,
        }),
      ),
    stale: () => [notesKey(projectId)],
  });
