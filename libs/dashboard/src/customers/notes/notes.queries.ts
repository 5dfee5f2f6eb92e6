import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { customerKey, summaryKey } from '../customers.queries.js';

export type Note = Schema<'CustomerNoteDto'>;

const notesKey = (projectId: string, id: string) => [...customerKey(projectId, id), 'notes'];

/** All notes on a customer, newest first. */
export const notesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: notesKey(projectId, id),
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/customers/{customer_id}/notes', {
            params: { path: { project_id: projectId, customer_id: id }, query: page },
            signal,
          }),
        signal,
      ),
  });

export function useNoteWrites(projectId: string, id: string) {
  const path = { project_id: projectId, customer_id: id };
  const stale = () => [notesKey(projectId, id), summaryKey(projectId, id)];
  const create = useWrite({
    send: (text: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/notes', {
          params: { path },
          body: { text },
          headers,
        }),
      ),
    stale,
  });
  const update = useWrite({
    send: ({ noteId, text }: { noteId: string; text: string }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers/{customer_id}/notes/{note_id}', {
          params: { path: { ...path, note_id: noteId } },
          body: { text },
          headers,
        }),
      ),
    stale,
  });
  const remove = useWrite({
    send: (noteId: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/customers/{customer_id}/notes/{note_id}', {
          params: { path: { ...path, note_id: noteId } },
          headers,
        }),
      ),
    stale,
  });
  return { create, update, remove };
}
