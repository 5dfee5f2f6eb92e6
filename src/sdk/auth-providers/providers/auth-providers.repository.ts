import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { AuthProvider, type ProviderKind } from './auth-provider.entity.js';

/** Named SQL, because every sign-in runs it. */
const forSignIn = statement(
  'auth_providers.for_sign_in',
  `SELECT p.id, p.name, p.audiences, p.firebase_project_id AS "firebaseProjectId", p.jwks_url AS "jwksUrl",
     p.app_user_id_claim AS "appUserIdClaim", p.app_user_id_prefix AS "appUserIdPrefix",
     p.created_at AS "createdAt", p.updated_at AS "updatedAt"
   FROM auth_settings s LEFT JOIN auth_providers p
     ON p.project_id = $1 AND p.issuer = $3 AND p.kind = $2 AND p.enabled
   WHERE s.project_id = $1 AND s.enabled`,
);

const lockProject = statement(
  'auth_providers.lock_project',
  'SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
);

@Injectable()
export class AuthProvidersRepository {
  constructor(
    @InjectRepository(AuthProvider) private readonly providers: Repository<AuthProvider>,
    private readonly database: DatabaseService,
  ) {}

  /** Whether sign-in is on, and the enabled provider of a kind with an issuer; null if there is none. */
  async forSignIn(
    projectId: string,
    kind: ProviderKind,
    issuer: string,
  ): Promise<{ isOn: boolean; provider: AuthProvider | null }> {
    const values = [projectId, kind, issuer];
    const [row] = await this.database.query<Omit<AuthProvider, 'id'> & { id: string | null }>(
      forSignIn,
      values,
    );
    if (!row) return { isOn: false, provider: null };
    const { id } = row;
    return {
      isOn: true,
      provider: id === null ? null : { ...row, projectId, id, kind, issuer, enabled: true },
    };
  }

  /** Serializes writers that count the project's providers. */
  async lockProject(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(lockProject, [projectId]);
  }

  count(tx: Transaction, projectId: string): Promise<number> {
    return onTransaction(this.providers, tx).countBy({ projectId });
  }

  async insert(tx: Transaction, provider: AuthProvider): Promise<void> {
    await onTransaction(this.providers, tx).insert(provider);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: AuthProvider): Promise<void> {
    await onTransaction(this.providers, tx).update({ projectId, id }, columns);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.providers, tx).delete({ projectId, id });
  }

  find(projectId: string, id: string, executor?: Executor): Promise<AuthProvider | null> {
    return onTransaction(this.providers, executor).findOneBy({ projectId, id });
  }

  lock(tx: Transaction, projectId: string, id: string): Promise<AuthProvider | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.providers, tx).findOne({ where: { projectId, id }, lock });
  }

  page(projectId: string, page: PageRequest): Promise<AuthProvider[]> {
    return keysetPage(this.providers, { projectId }, page);
  }
}
