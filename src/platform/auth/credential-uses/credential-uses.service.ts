import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { grouped } from '../../../../libs/kernel/index.js';
import type { Transaction } from '../../database/database.service.js';
import type { CredentialKind } from './credential-use.entity.js';
import { CredentialUsesRepository } from './credential-uses.repository.js';

const RECORD_EVERY_MS = 60_000;
/** Credentials whose last record this process remembers. */
const MAX_REMEMBERED = 10_000;

/** A credential as stored, with the last use that servers of 0.16 recorded. */
interface Listed {
  projectId: string;
  id: string;
  lastUsedAt: Date | null;
}

/**
 * Last uses of API keys and OAuth grants, to the minute. They have a table of their own because on Citus an update of a
 * key or a grant would block those of all projects.
 */
@Injectable()
export class CredentialUsesService {
  private readonly recordedAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(private readonly repository: CredentialUsesRepository) {}

  /** The statement writes at most once a minute; sending it less often saves the round trip. */
  async record(
    projectId: string,
    kind: CredentialKind,
    credentialId: string,
    lastUsedAt: Date,
  ): Promise<void> {
    const key = `${projectId} ${credentialId}`;
    const atMs = lastUsedAt.getTime();
    if (atMs - (this.recordedAtMs.get(key) ?? -Infinity) <= RECORD_EVERY_MS) return;
    this.recordedAtMs.set(key, atMs);
    await this.repository.record({ projectId, credentialId, kind, lastUsedAt });
  }

  /** Returns the credentials with their last uses. */
  async withLastUses<Credential extends Listed>(credentials: readonly Credential[]): Promise<Credential[]> {
    const uses = new Map<string, Date>();
    for (const [projectId, own] of grouped(credentials, (credential) => credential.projectId)) {
      const ids = own.map(({ id }) => id);
      for (const { credentialId, lastUsedAt } of await this.repository.find(projectId, ids)) {
        uses.set(credentialId, lastUsedAt);
      }
    }
    return credentials.map((credential) => {
      const { id, lastUsedAt: before } = credential;
      const lastUsedAt = uses.get(id) ?? null;
      return {
        ...credential,
        lastUsedAt: before && (!lastUsedAt || before > lastUsedAt) ? before : lastUsedAt,
      };
    });
  }

  /** Call when a credential is deleted. */
  forget(tx: Transaction, projectId: string, credentialId: string): Promise<void> {
    return this.repository.forget(tx, projectId, credentialId);
  }
}
