import { Injectable } from '@nestjs/common';
import { newPublicKeySecret } from '../../../libs/kernel/index.js';
import { type ProjectWrite, systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { keysChanged } from '../../platform/auth/keys/key-cache.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { publicKeyPrefixes } from '../../platform/principal/app-types.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { App } from './app.entity.js';
import { publicKeyId } from './app.presenter.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';

const AFTER_PREFIX = /^[A-Za-z0-9_-]{8,128}$/;

const OF_ANOTHER_PROJECT =
  'This public key belongs to another project, which may have used it for an app that is deleted by now. If it is ' +
  'yours, ask the operator of this server to reassign it: tenure public-key reassign <key> <project>.';

@Injectable()
export class AppPublicKeysService {
  constructor(
    private readonly apps: AppsService,
    private readonly repository: AppsRepository,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Sets the public key that the app used on another server. The previous key stops working immediately on every
   * replica, and stays reserved for the project.
   * @throws ApiError 404; 400 for a key in another format; 409 if an app uses it, or another project ever used it
   */
  async replace(write: ProjectWrite, appId: string, publicKey: string): Promise<App> {
    const { projectId } = write;
    const { type } = await this.apps.get(projectId, appId);
    const prefix = publicKeyPrefixes[type];
    // No store's prefix is the start of another's.
    if (!publicKey.startsWith(prefix) || !AFTER_PREFIX.test(publicKey.slice(prefix.length)))
      throw ApiError.parameter(
        'public_key',
        `must be "${prefix}" followed by 8 to 128 letters, digits, "_" or "-", because the app's type is ${type}`,
      );
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.apps.get(projectId, appId, tx);
      if (present.publicKey === publicKey) {
        await tx.audit({ action: 'updated', target: 'public_api_key', targetId: publicKeyId(appId) });
        return present;
      }
      const owner = await this.repository.claimKey(tx, projectId, credentialHash(publicKey));
      if (owner !== projectId) throw ApiError.alreadyExists('public_key', OF_ANOTHER_PROJECT);
      return this.replaceIn(tx, present, publicKey);
    });
  }

  /**
   * Reserves a key for another project, which can then import it. An app of any other project that uses it gets a new
   * key. Returns that app, or null.
   * @throws ApiError 404 if the project does not exist
   */
  async reassign(publicKey: string, projectId: string): Promise<{ projectId: string; appId: string } | null> {
    const keyHash = credentialHash(publicKey);
    const write = { ...systemChange, projectId };
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const user = await this.repository.findKeyUser(keyHash, tx);
      const former = user && user.projectId !== projectId ? user : null;
      if (former)
        await this.revokeIn(this.writes.within(tx, { ...write, projectId: former.projectId }), former.appId);
      await this.repository.assignKey(tx, projectId, keyHash);
      return former;
    });
  }

  /** The project may be deleted, so its catalog version is not raised: SDKs with the key are refused anyway. */
  private async revokeIn(tx: WriteTransaction, appId: string): Promise<void> {
    const app = await this.apps.get(tx.write.projectId, appId, tx);
    const publicKey = publicKeyPrefixes[app.type] + newPublicKeySecret();
    await this.repository.claimKey(tx, app.projectId, credentialHash(publicKey));
    await this.replaceIn(tx, app, publicKey);
  }

  private async replaceIn(tx: WriteTransaction, present: App, publicKey: string): Promise<App> {
    const app: App = { ...present, publicKey };
    await orAlreadyExists(
      this.repository.replacePublicKey(tx, app, credentialHash(publicKey)),
      'credential_routes_pkey',
      'public_key',
      'Another app of this server has this public key.',
    );
    await keysChanged(tx, app.projectId);
    await tx.audit({ action: 'updated', target: 'public_api_key', targetId: publicKeyId(app.id) });
    return app;
  }
}
