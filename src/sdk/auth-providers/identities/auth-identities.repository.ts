import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { Narrowing } from '../../../platform/database/narrowing.js';
import { longStatement, statement } from '../../../platform/database/statement.js';
import { customerIdOf } from '../../../customers/customers/identity/customer-names.sql.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { AuthIdentity } from './auth-identity.entity.js';
import type { IdentityPlace } from './identity-place.js';

export type IdentityKey = Pick<AuthIdentity, 'providerId' | 'subject'>;

/** Filters of a list; null fields do not filter. */
export interface IdentityFilter {
  providerId: string | null;
  subject: string | null;
  /** Any app user id of a customer. */
  appUserId: string | null;
}

const columns = `i.provider_id AS "providerId", i.subject, i.app_user_id AS "appUserId", i.logins,
  i.last_login_at AS "lastLoginAt", i.created_at AS "createdAt"`;

/**
 * $2: provider, $3: subject, $4: mapped app user id, $5: current time. Locks the provider, so that either its deletion
 * waits or this statement finds no provider.
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

const remove = statement(
  'auth_identities.delete',
  `DELETE FROM auth_identities WHERE project_id = $1 AND provider_id = $2 AND subject = $3 RETURNING 1`,
);

/** A provider may have signed in every customer of the project. */
const removeOfProvider = longStatement(
  'auth_identities.delete_of_provider',
  `WITH gone AS (DELETE FROM auth_identities WHERE project_id = $1 AND provider_id = $2 RETURNING 1)
   SELECT count(*)::int AS count FROM gone`,
);

/** Selects rows with any id of the customer who has the given id. */
const idsOfCustomer = (appUserId: string): string => `i.app_user_id = ANY (ARRAY(
    SELECT a.app_user_id FROM customer_aliases a
    WHERE a.project_id = $1 AND a.customer_id = ${customerIdOf(appUserId)}))`;

const order = ['i.last_login_at', 'i.subject', 'i.provider_id'];
const sorting = order.map((column) => `${column} DESC`).join(', ');

@Injectable()
export class AuthIdentitiesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Null if the provider was deleted or turned off. */
  async recordSignIn(
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

  /** Up to `limit + 1`, latest sign-in first. Reads each of the few providers' rows from its index. */
  async page(
    projectId: string,
    { providerId, subject, appUserId }: IdentityFilter,
    { limit }: PageRequest,
    after: IdentityPlace | null,
  ): Promise<AuthIdentity[]> {
    const narrowing = new Narrowing('auth_identities.page', [projectId, limit + 1]);
    const place = after && [after.lastLoginAt, after.subject, after.providerId];
    const behind = narrowing.behind(order, place);
    const named = narrowing.when('subject', subject, (parameter) => `i.subject = ${parameter}`);
    const ofProvider = narrowing.when('provider', providerId, (parameter) => `p.id = ${parameter}`);
    const customers = narrowing.when('customer', appUserId, idsOfCustomer);
    const text = `SELECT ${columns} FROM auth_providers p CROSS JOIN LATERAL (
        SELECT i.* FROM auth_identities i
        WHERE i.project_id = $1 AND i.provider_id = p.id${named}${customers}${behind}
        ORDER BY i.last_login_at DESC, i.subject DESC LIMIT $2) i
      WHERE p.project_id = $1${ofProvider} ORDER BY ${sorting} LIMIT $2`;
    const rows = await this.database.forReading.query<AuthIdentity>(
      narrowing.statement(text),
      narrowing.values,
    );
    return rows.map((row) => ({ ...row, projectId }));
  }

  /** Returns false if the identity does not exist. */
  async delete(tx: Transaction, projectId: string, { providerId, subject }: IdentityKey): Promise<boolean> {
    return (await tx.query(remove, [projectId, providerId, subject])).length > 0;
  }

  /** Returns the number of deleted identities. */
  async deleteOfProvider(tx: Transaction, projectId: string, providerId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(removeOfProvider, [projectId, providerId]);
    return row?.count ?? 0;
  }
}
