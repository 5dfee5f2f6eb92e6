import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type Export, type ExportRun, exportsKey } from './exports.queries.js';

export type NewExport = Schema<'CreateExportDto'>;
export type ExportChanges = Schema<'UpdateExportDto'>;

const pathOf = (projectId: string, exportId: string) => ({ project_id: projectId, export_id: exportId });

export const useCreateExport = (projectId: string) =>
  useWrite({
    send: (body: NewExport, header): Promise<Export> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/exports', {
          params: { path: { project_id: projectId }, header },
          body,
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });

export const useUpdateExport = (projectId: string, exportId: string) =>
  useWrite({
    send: (body: ExportChanges, header): Promise<Export> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/exports/{export_id}', {
          params: { path: pathOf(projectId, exportId), header },
          body,
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });

export const useDeleteExport = (projectId: string, exportId: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/integrations/exports/{export_id}', {
          params: { path: pathOf(projectId, exportId) },
          headers,
        }),
      ),
    stale: () => [[...exportsKey(projectId), 'list']],
  });

/** Starts a run, in the mode of the export unless another one is given. */
export const useRunExport = (projectId: string, exportId: string) =>
  useWrite({
    send: (body: Schema<'RequestExportRunDto'>, header): Promise<ExportRun> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/exports/{export_id}/actions/run', {
          params: { path: pathOf(projectId, exportId), header },
          body,
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });

export const useCancelRun = (projectId: string, exportId: string, runId: string) =>
  useWrite({
    send: (_: void, header): Promise<ExportRun> =>
      call(
        api.POST('/v2/projects/{project_id}/integrations/exports/{export_id}/runs/{run_id}/actions/cancel', {
          params: { path: { ...pathOf(projectId, exportId), run_id: runId }, header },
        }),
      ),
    stale: () => [exportsKey(projectId)],
  });
