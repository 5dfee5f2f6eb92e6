import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { keysChanged } from '../../platform/auth/key-cache.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { orAlreadyExists } from '../../platform/http/unique.js';
import { publicKeyPrefixes } from '../../platform/principal/app-types.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { App } from './app.entity.js';
import { publicKeyId } from './app.presenter.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';

const AFTER_PREFIX = /^[A-Za-z0-9_-]{8,128}$/;

@Injectable()
export class AppPublicKeysService {
  constructor(
    private readonly apps: AppsService,
    private readonly repository: AppsRepository,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Gives the app a public key that it had elsewhere. The former key stops at once on every replica.
   * @throws ApiError 404; 400 for a key of another form; 409 if any app of the server has it
   */
  async replace(write: ProjectWrite, appId: string, publicKey: string): Promise<App> {
    const { projectId } = write;
    const { type } = await this.apps.get(projectId, appId);
    const prefix = publicKeyPrefixes[type];
    // A prefix of one store never begins with that of another.
    if (!publicKey.startsWith(prefix) || !AFTER_PREFIX.test(publicKey.slice(prefix.length)))
      throw ApiError.parameter(
        'public_key',
        `must be "${prefix}" followed by 8 to 128 letters, digits, "_" or "-", because the app's type is ${type}`,
      );
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.apps.get(projectId, appId, tx);
      const app: App = { ...present, publicKey };
      if (present.publicKey !== publicKey) {
        await orAlreadyExists(
          this.repository.replacePublicKey(tx, app, credentialHash(publicKey)),
          'credential_routes_pkey',
          'public_key',
          'Another app of this server has this public key.',
        );
        await keysChanged(tx, projectId);
      }
      await tx.audit({ action: 'updated', target: 'public_api_key', targetId: publicKeyId(appId) });
      return app;
    });
  }
}
