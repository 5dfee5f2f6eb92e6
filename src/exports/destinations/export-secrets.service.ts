import { Injectable } from '@nestjs/common';
import { LogService } from '../../platform/observability/log.service.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { Secrets } from './destination-settings.js';
import type { ExportDestination } from './export-destination.entity.js';
import { secretsPlace } from './secret-places.js';

/** Stores the secrets of a destination together, apart from its other settings. */
@Injectable()
export class ExportSecretsService {
  constructor(
    private readonly secrets: SecretsService,
    private readonly log: LogService,
  ) {}

  /** Null if there are none. */
  seal(projectId: string, id: string, secrets: Secrets): string | null {
    if (Object.keys(secrets).length === 0) return null;
    return this.secrets.seal(JSON.stringify(secrets), secretsPlace(projectId, id));
  }

  /** Null, and logged, if they were sealed with an unknown key. */
  open({
    projectId,
    id,
    sealedSecrets,
  }: Pick<ExportDestination, 'projectId' | 'id' | 'sealedSecrets'>): Secrets | null {
    if (sealedSecrets === null) return {};
    try {
      return JSON.parse(this.secrets.open(sealedSecrets, secretsPlace(projectId, id))) as Secrets;
    } catch (error) {
      this.log.error(
        { err: error, projectId, destinationId: id },
        'the secrets of an export destination do not open',
      );
      return null;
    }
  }
}
