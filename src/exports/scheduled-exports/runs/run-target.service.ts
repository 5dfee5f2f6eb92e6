import { Injectable } from '@nestjs/common';
import type { FileStore } from '../../../../libs/file-stores/index.js';
import type { Permission } from '../../../platform/principal/permissions.js';
import { ApiKeysService } from '../../../workspace/api-keys/api-keys.service.js';
import { CollaboratorsService } from '../../../workspace/members/collaborators.service.js';
import { DestinationStoresService } from '../../destinations/destination-stores.service.js';
import {
  ExportDestinationsService,
  type OpenedDestination,
} from '../../destinations/export-destinations.service.js';
import { exportPermissions } from '../../export-permissions.js';
import type { Export } from '../export.entity.js';
import { RunFailed } from './writing/run-errors.js';

export interface RunTarget {
  destination: OpenedDestination & { place: string };
  store: FileStore;
}

/** Where a run delivers, and whether it may. */
@Injectable()
export class RunTargetService {
  constructor(
    private readonly destinations: ExportDestinationsService,
    private readonly stores: DestinationStoresService,
    private readonly members: CollaboratorsService,
    private readonly keys: ApiKeysService,
  ) {}

  /** The caller closes the store. @throws RunFailed, FileStoreError */
  async open(projectId: string, destinationId: string): Promise<RunTarget> {
    const found = await this.destinations.find(projectId, destinationId);
    if (!found) throw new RunFailed('not_found', 'The destination has been deleted.');
    const opened = this.destinations.open(found);
    if (!opened) throw new RunFailed('access_denied', 'The stored secret could not be read. Enter it again.');
    return { destination: { ...opened, place: found.place }, store: this.stores.open(projectId, opened) };
  }

  /** Data leaves the server on behalf of the last editor. @throws RunFailed */
  async assertPermitted({ projectId, editorKind, editorId }: Export): Promise<void> {
    const isPermitted =
      editorKind === 'member'
        ? (await this.members.membersWith(projectId, [editorId], exportPermissions)).length > 0
        : await this.hasPermissions(projectId, editorId, exportPermissions);
    if (isPermitted) return;
    const editor =
      editorKind === 'member'
        ? 'The person who changed this export last is no longer permitted to export customers'
        : 'The API key that changed this export last was deleted or may no longer export customers';
    throw new RunFailed(
      'access_denied',
      `${editor}. A person who may read customers and change integrations must save the export again.`,
    );
  }

  private async hasPermissions(
    projectId: string,
    keyId: string,
    permissions: readonly Permission[],
  ): Promise<boolean> {
    const found = await this.keys.permissionsOf(projectId, keyId);
    return found !== null && permissions.every((permission) => found.has(permission));
  }
}
