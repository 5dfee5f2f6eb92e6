import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { allItems, pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';

export type Export = Schema<'ExportDto'>;
export type ExportRun = Schema<'ExportRunDto'>;
export type ExportDestination = Schema<'ExportDestinationDto'>;

const POLL_MS = 2_000;

/** Prefix of all query keys of exports, their destinations and runs. */
export const exportsKey = (projectId: string) => [projectId, 'exports'];

/** Prefix of the query keys of the destinations of exports. */
export const destinationsKey = (projectId: string) => [...exportsKey(projectId), 'destinations'];

export const isRunning = ({ state }: Pick<ExportRun, 'state'>): boolean =>
  state === 'queued' || state === 'preparing' || state === 'writing' || state === 'completing';

const isGoing = ({ last_run: run }: Export): boolean => run !== null && isRunning(run);

/** Polls while a run is in progress. */
export const exportList = (projectId: string) =>
  pagedQuery(
    [...exportsKey(projectId), 'list'],
    (page, signal) =>
      api.GET('/v2/projects/{project_id}/integrations/exports', {
        params: { path: { project_id: projectId }, query: page },
        signal,
      }),
    (loaded) => loaded.some(isGoing) && POLL_MS,
  );

export const exportQuery = (projectId: string, exportId: string) =>
  queryOptions({
    queryKey: [...exportsKey(projectId), 'one', exportId],
    queryFn: ({ signal }): Promise<Export> =>
      call(
        api.GET('/v2/projects/{project_id}/integrations/exports/{export_id}', {
          params: { path: { project_id: projectId, export_id: exportId } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => data !== undefined && isGoing(data) && POLL_MS,
  });

export const runList = (projectId: string, exportId: string) =>
  pagedQuery(
    [...exportsKey(projectId), 'runs', exportId],
    (page, signal) =>
      api.GET('/v2/projects/{project_id}/integrations/exports/{export_id}/runs', {
        params: { path: { project_id: projectId, export_id: exportId }, query: page },
        signal,
      }),
    (loaded) => loaded.some(isRunning) && POLL_MS,
  );

export const runQuery = (projectId: string, exportId: string, runId: string) =>
  queryOptions({
    queryKey: [...exportsKey(projectId), 'run', exportId, runId],
    queryFn: ({ signal }): Promise<ExportRun> =>
      call(
        api.GET('/v2/projects/{project_id}/integrations/exports/{export_id}/runs/{run_id}', {
          params: { path: { project_id: projectId, export_id: exportId, run_id: runId } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => data !== undefined && isRunning(data) && POLL_MS,
  });

export const destinationList = (projectId: string) =>
  pagedQuery([...destinationsKey(projectId), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/integrations/exports/destinations', {
      params: { path: { project_id: projectId }, query: page },
      signal,
    }),
  );

/** All destinations of the project, which has at most 50. */
export const destinationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...destinationsKey(projectId), 'all'],
    queryFn: ({ signal }): Promise<ExportDestination[]> =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/integrations/exports/destinations', {
            params: { path: { project_id: projectId }, query: page },
            signal,
          }),
        signal,
      ),
  });
