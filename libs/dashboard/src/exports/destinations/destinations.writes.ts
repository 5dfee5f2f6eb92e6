import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { destinationsKey, type ExportDestination, exportsKey } from '../exports.queries.js';

export type NewDestination = Schema<'CreateExportDestinationDto'>;
export type DestinationChanges = Schema<'UpdateExportDestinationDto'>;
export type DestinationDraft = Schema<'TestExportDestinationDto'>;
export type DestinationTest = Schema<'ExportDestinationTestDto'>;

const pathOf = (projectId: string, id: string) => ({ project_id: projectId, export_destination_id: id });

type Saved = { id: null; creation: NewDestination } | { id: string; changes: DestinationChanges };

/** Creates or changes a destination. */
export const useSaveDestination = (projectId: string) =>
  useWrite({
    send: (saved: Saved, header): Promise<ExportDestination> =>
      saved.id === null
        ? call(
            api.POST('/v2/projects/{project_id}/integrations/exports/destinations', {
              params: { path: { project_id: projectId }, header },
              body: saved.creation,
            }),
          )
        : call(
            api.POST('/v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}', {
              params: { path: pathOf(projectId, saved.id), header },
              body: saved.changes,
            }),
          ),
    stale: () => [exportsKey(projectId)],
  });

export const useDeleteDestination = (projectId: string, id: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}', {
          params: { path: pathOf(projectId, id) },
          headers,
        }),
      ),
    stale: () => [destinationsKey(projectId)],
  });

type Tested = { draft: DestinationDraft } | { id: string };

/** Tests settings that are not saved yet, or a saved destination. */
export const useTestDestination = (projectId: string) =>
  useWrite({
    send: (tested: Tested, header): Promise<DestinationTest> =>
      'draft' in tested
        ? call(
            api.POST('/v2/projects/{project_id}/integrations/exports/destinations/actions/test', {
              params: { path: { project_id: projectId }, header },
              body: tested.draft,
            }),
          )
        : call(
            api.POST(
              '/v2/projects/{project_id}/integrations/exports/destinations/{export_destination_id}/actions/test',
              { params: { path: pathOf(projectId, tested.id), header } },
            ),
          ),
  });
