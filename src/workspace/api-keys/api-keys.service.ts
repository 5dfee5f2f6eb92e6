import { Injectable } from '@nestjs/common';
import { newId, newSecretKey } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { CredentialUsesService } from '../../platform/auth/credential-uses/credential-uses.service.js';
import { permissionsOf } from '../../platform/auth/current-principal.js';
import { keysChanged } from '../../platform/auth/keys/key-cache.service.js';
import { expandPermissions, type PermissionSet } from '../../platform/principal/permissions.js';
import type { SecretKeyPrincipal, SessionPrincipal } from '../../platform/principal/principal.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { permissionsOfNewKey } from './key-permissions.js';

export type KeyCreator = SecretKeyPrincipal | SessionPrincipal;

export interface NewApiKey {
  name: string;
  /** Undefined: all permissions of the creator. */
  permissions?: string[];
}

const PREFIX_LENGTH = 7;

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly writes: ProjectWritesService,
    private readonly uses: CredentialUsesService,
  ) {}

  /**
   * The key's value is only returned here. @throws ApiError 400 for an unknown permission, 403 beyond the creator's own
   */
  async create(
    write: ProjectWrite,
    creator: KeyCreator,
    { name, permissions }: NewApiKey,
  ): Promise<{ row: ApiKey; key: string }> {
    const granted = permissionsOfNewKey(permissions, permissionsOf(creator));
    const createdBy = creator.kind === 'session' ? creator.userId : creator.keyId;
    return this.writes.run(
      write,
      async (tx) => {
        const key = newSecretKey();
        const nowMs = tx.nowMs();
        const row: ApiKey = {
          projectId: write.projectId,
          id: newId('apiKey', nowMs),
          name,
          prefix: key.slice(0, PREFIX_LENGTH),
          permissions: granted,
          keyHash: credentialHash(key),
          createdBy,
          createdAt: new Date(nowMs),
          lastUsedAt: null,
        };
        await this.repository.insert(tx, row);
        await tx.audit({
          action: 'created',
          target: 'api_key',
          targetId: row.id,
          data: { permissions: granted },
        });
        return { row, key };
      },
      { retryUniqueViolation: true },
    );
  }

  /** Up to `limit + 1` keys. @throws ApiError 400 if `page.after` is not a key of the project */
  async page(projectId: string, page: PageRequest): Promise<ApiKey[]> {
    return this.uses.withLastUses(await this.repository.page(projectId, page));
  }

  /** Null if the key was deleted. */
  async permissionsOf(projectId: string, keyId: string): Promise<PermissionSet | null> {
    const key = await this.repository.find(projectId, keyId);
    return key && expandPermissions(key.permissions);
  }

  /** Every replica rejects the key immediately. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, keyId: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      if (!(await this.repository.delete(tx, projectId, keyId))) throw ApiError.missing('API key', keyId);
      await this.uses.forget(tx, projectId, keyId);
      await keysChanged(tx, projectId);
      await tx.audit({ action: 'deleted', target: 'api_key', targetId: keyId });
      return tx.nowMs();
    });
  }
}
