import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newSecretKey } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { permissionsOf } from '../../platform/auth/current-principal.js';
import { keysChanged } from '../../platform/auth/keys-changed.js';
import type { SecretKeyPrincipal, SessionPrincipal } from '../../platform/principal/principal.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository, type ListedApiKey } from './api-keys.repository.js';
import { permissionsOfNewKey } from './key-permissions.js';

/** Who can create keys. */
export type KeyCreator = SecretKeyPrincipal | SessionPrincipal;

export interface NewApiKey {
  name: string;
  /** Undefined: all that the creator holds. */
  permissions?: string[];
}

/** How much of a key stays readable. */
const PREFIX_LENGTH = 7;

/** Secret keys of a project. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly repository: ApiKeysRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates a key. Its value leaves the server here and never again.
   * @throws ApiError 400 for an unknown permission, 403 for more than the creator holds.
   */
  async create(
    write: ProjectWrite,
    creator: KeyCreator,
    { name, permissions }: NewApiKey,
  ): Promise<{ row: ApiKey; key: string }> {
    const granted = permissionsOfNewKey(permissions, permissionsOf(creator));
    const createdBy = creator.kind === 'session' ? creator.userId : creator.keyId;
    return this.database.transaction(
      async (tx) => {
        const key = newSecretKey();
        const nowMs = this.clock.nowMs();
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
        await this.audit.record(tx, write, {
          action: 'created',
          target: 'api_key',
          targetId: row.id,
          data: { permissions: granted },
        });
        return { row, key };
      },
      // Another id is taken in the rare case that this one is.
      { retryUniqueViolation: true },
    );
  }

  /**
   * One page of the project's keys, with one row more when there is a next page.
   * @throws ApiError 400 when `page.after` is no key of the project.
   */
  async page(projectId: string, page: PageRequest): Promise<ListedApiKey[]> {
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeOf(this.database, projectId, id),
    );
    return this.repository.page(this.database, projectId, page, after);
  }

  /**
   * Deletes a key; every replica stops taking it at once.
   * @returns when it was deleted, epoch milliseconds.
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, keyId: string): Promise<number> {
    const { projectId } = write;
    await this.database.transaction(async (tx) => {
      if (!(await this.repository.delete(tx, projectId, keyId))) throw ApiError.missing('API key', keyId);
      await keysChanged(tx, projectId);
      await this.audit.record(tx, write, { action: 'deleted', target: 'api_key', targetId: keyId });
    });
    return this.clock.nowMs();
  }
}
