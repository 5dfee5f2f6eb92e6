import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type Experiment = Schema<'ExperimentDto'>;
export type ExperimentStatus = Experiment['status'];
export type Results = Schema<'ExperimentResultsDto'>;
export type ExperimentAction = 'start' | 'pause' | 'resume' | 'stop';
export type Winner = Schema<'MarkWinnerDto'>;

const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofExperiment = (projectId: string, id: string) => ({
  path: { project_id: projectId, experiment_id: id },
});
const stale = (projectId: string) => [[projectId, 'experiments']];

export const experimentsQuery = (projectId: string, status: ExperimentStatus | undefined) =>
  pagedQuery([projectId, 'experiments', 'list', status], (page, signal) =>
    api.GET('/v2/projects/{project_id}/experiments', {
      params: { ...inProject(projectId), query: { ...page, status } },
      signal,
    }),
  );

export const experimentQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'experiments', id],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/experiments/{experiment_id}', {
          params: ofExperiment(projectId, id),
          signal,
        }),
      ),
  });

export const resultsQuery = (projectId: string, id: string, environment: 'production' | 'sandbox') =>
  queryOptions({
    queryKey: [projectId, 'experiments', id, 'results', environment],
    queryFn: async ({ signal }): Promise<Results> =>
      // The response is JSON. The string in its type is the CSV format.
      (await call(
        api.GET('/v2/projects/{project_id}/experiments/{experiment_id}/results', {
          params: { ...ofExperiment(projectId, id), query: { environment } },
          signal,
        }),
      )) as Results,
  });

export const useCreateExperiment = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateExperimentDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/experiments', { params: inProject(projectId), body, headers }),
      ),
    stale: () => stale(projectId),
  });

export const useUpdateExperiment = (projectId: string, id: string) =>
  useWrite({
    send: (body: Schema<'UpdateExperimentDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/experiments/{experiment_id}', {
          params: ofExperiment(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => stale(projectId),
  });

const actions = {
  start: '/v2/projects/{project_id}/experiments/{experiment_id}/actions/start',
  pause: '/v2/projects/{project_id}/experiments/{experiment_id}/actions/pause',
  resume: '/v2/projects/{project_id}/experiments/{experiment_id}/actions/resume',
  stop: '/v2/projects/{project_id}/experiments/{experiment_id}/actions/stop',
} as const;

export const actionPath = (action: ExperimentAction): string => actions[action];

export const useExperimentAction = (projectId: string, id: string) =>
  useWrite({
    send: (action: ExperimentAction, headers) =>
      call(api.POST(actions[action], { params: ofExperiment(projectId, id), headers })),
    stale: () => stale(projectId),
  });

export const useMarkWinner = (projectId: string, id: string) =>
  useWrite({
    send: (body: Winner, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/experiments/{experiment_id}/actions/mark_winner', {
          params: ofExperiment(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => [...stale(projectId), [projectId, 'catalog'], [projectId, 'targeting']],
  });

export const useDeleteExperiment = (projectId: string, id: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/experiments/{experiment_id}', {
          params: ofExperiment(projectId, id),
          headers,
        }),
      ),
    stale: () => [[projectId, 'experiments', 'list']],
  });
