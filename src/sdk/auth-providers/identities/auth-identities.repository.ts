import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import type { AuthIdentity } from './auth-identity.entity.js';

export type IdentityKey = Pick<AuthIdentity, 'providerId' | 'subject'>;

const columns = `i.provider_id AS "providerId", i.subject, i.app_user_id AS "appUserId", i.logins,
  i.last_login_at AS "lastLoginAt", i.created_at AS "createdAt"`;

/**
 * $2: provider, $3: subject, $4: mapped app user id, $5: now. The lock on the provider makes its deletion wait, or this
 * find nothing.
 */
const signedIn = statement(
  'auth_identities.signed_in',
  `WITH provider AS (
     SELECT p.id FROM auth_providers p WHERE p.project_id = $1 AND p.id = $2 AND p.enabled FOR KEY SHARE
   )
   INSERT INTO auth_identities AS i (project_id, provider_id, subject, app_user_id, logins, last_login_at, created_at)
   SELECT $1, provider.id, $3, $4, 1, $5, $5 FROM provider
   ON CONFLICT (project_id, provider_id, subject) DO UPDATE
     SET logins = i.logins + 1, last_login_at = greatest(i.last_login_at, excluded.last_login_at)
   RETURNING i.app_user_id AS "appUserId", (i.xmax = 0) AS "isNew"`,
);

const find = statement(
  'auth_identities.find',
  `SELECT ${columns} FROM auth_identities i WHERE i.project_id = $1 AND i.provider_id = $2 AND i.subject = $3`,
);

@Injectable()
export class AuthIdentitiesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Null if the provider is gone or turned off. */
  async signedIn(
    tx: Transaction,
    projectId: string,
    { providerId, subject }: IdentityKey,
    appUserId: string,
    now: Date,
  ): Promise<{ appUserId: string; isNew: boolean } | null> {
    const values = [projectId, providerId, subject, appUserId, now];
    const [row] = await tx.query<{ appUserId: string; isNew: boolean }>(signedIn, values);
    return row ?? null;
  }

  async find(
    projectId: string,
    { providerId, subject }: IdentityKey,
    executor: Executor = this.database,
  ): Promise<AuthIdentity | null> {
    const [row] = await executor.query<AuthIdentity>(find, [projectId, providerId, subject]);
    return row ? { ...row, projectId } : null;
  }
}
