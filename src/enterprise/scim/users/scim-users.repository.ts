import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import { normalizeEmail } from '../../../platform/http/bodies/email.js';
import type { Lookup } from '../protocol/filter-lookup.js';
import type { ScimUser } from './scim-user.entity.js';

/** A group in the resource of its member. */
export interface GroupOfUser {
  scimUserId: string;
  groupId: string;
  displayName: string;
}

const columns = `u.org_id AS "orgId", u.id, u.user_id AS "userId", u.user_name AS "userName",
  u.external_id AS "externalId", u.active, u.email, u.resource, u.version, u.created_at AS "createdAt",
  u.updated_at AS "updatedAt"`;
const from = `SELECT ${columns} FROM scim_users u WHERE u.org_id = $1`;
const inOrder = 'ORDER BY u.created_at, u.id';

const find = statement('scim_users.find', `${from} AND u.id = $2`);
const lock = statement('scim_users.lock', `${from} AND u.id = $2 FOR UPDATE`);
const page = statement('scim_users.page', `${from} ${inOrder} OFFSET $2 LIMIT $3`);
const count = statement(
  'scim_users.count',
  'SELECT count(*)::int AS total FROM scim_users WHERE org_id = $1',
);
const batch = statement(
  'scim_users.batch',
  `${from} AND (u.created_at, u.id) > ($2::timestamptz, $3::text) ${inOrder} LIMIT $4`,
);

const insert = statement(
  'scim_users.insert',
  `INSERT INTO scim_users (org_id, id, user_id, user_name, external_id, active, email, resource, version, updated_at,
     created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
const update = statement(
  'scim_users.update',
  `UPDATE scim_users SET user_id = $3, user_name = $4, external_id = $5, active = $6, email = $7, resource = $8,
     version = $9, updated_at = $10
   WHERE org_id = $1 AND id = $2`,
);
const remove = statement('scim_users.delete', 'DELETE FROM scim_users WHERE org_id = $1 AND id = $2');

function valuesOf(user: ScimUser): unknown[] {
  const { orgId, id, userId, userName, externalId, active, email, resource, version, updatedAt } = user;
  return [orgId, id, userId, userName, externalId, active, email, resource, version, updatedAt];
}

export const userLookups = ['id', 'userName', 'externalId', 'email'] as const satisfies Lookup['by'][];

const lookups: Record<(typeof userLookups)[number], Statement> = {
  id: find,
  userName: statement('scim_users.by_user_name', `${from} AND lower(u.user_name) = lower($2) ${inOrder}`),
  externalId: statement('scim_users.by_external_id', `${from} AND u.external_id = $2 ${inOrder}`),
  email: statement(
    'scim_users.by_email',
    `${from} AND u.id IN (SELECT e.scim_user_id FROM scim_user_emails e WHERE e.org_id = $1 AND e.email = $2) ${inOrder}`,
  ),
};

const addressTaken = statement(
  'scim_users.address_taken',
  `SELECT id FROM scim_users WHERE org_id = $1 AND email = $2 AND id <> $3 LIMIT 1`,
);

const ofAccount = statement(
  'scim_users.of_account',
  `SELECT id FROM scim_users WHERE org_id = $1 AND user_id = $2 AND id <> $3 LIMIT 1`,
);

const removeEmails = statement(
  'scim_user_emails.remove',
  `DELETE FROM scim_user_emails WHERE org_id = $1 AND scim_user_id = $2 AND email <> ALL ($3::text[])`,
);

const addEmails = statement(
  'scim_user_emails.add',
  `INSERT INTO scim_user_emails (org_id, email, scim_user_id) SELECT $1, email, $2 FROM unnest($3::text[]) AS email
   ON CONFLICT DO NOTHING`,
);

const groupsOf = statement(
  'scim_users.groups',
  `SELECT m.scim_user_id AS "scimUserId", g.id AS "groupId", g.display_name AS "displayName"
   FROM scim_group_members m JOIN scim_groups g ON g.org_id = m.org_id AND g.id = m.group_id
   WHERE m.org_id = $1 AND m.scim_user_id = ANY ($2) ORDER BY m.scim_user_id, g.display_name, g.id`,
);

@Injectable()
export class ScimUsersRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, user: ScimUser, emails: string[]): Promise<void> {
    await tx.query(insert, [...valuesOf(user), user.createdAt]);
    await tx.query(addEmails, [user.orgId, user.id, emails]);
  }

  async update(tx: Transaction, user: ScimUser, emails: string[]): Promise<void> {
    const { orgId, id } = user;
    await tx.query(update, valuesOf(user));
    await tx.query(removeEmails, [orgId, id, emails]);
    await tx.query(addEmails, [orgId, id, emails]);
  }

  async delete(tx: Transaction, orgId: string, id: string): Promise<void> {
    await tx.query(remove, [orgId, id]);
  }

  async find(orgId: string, id: string): Promise<ScimUser | null> {
    return (await this.database.query<ScimUser>(find, [orgId, id]))[0] ?? null;
  }

  /** Prevents other requests from changing the user until `tx` ends. */
  async lock(tx: Transaction, orgId: string, id: string): Promise<ScimUser | null> {
    return (await tx.query<ScimUser>(lock, [orgId, id]))[0] ?? null;
  }

  /** Uses an index. `userName` and addresses are case-insensitive. */
  lookup(orgId: string, { by, value }: Lookup): Promise<ScimUser[]> {
    const known = userLookups.find((name) => name === by) ?? 'id';
    return this.database.query(lookups[known], [orgId, by === 'email' ? normalizeEmail(value) : value]);
  }

  /** Returns users oldest first. */
  page(orgId: string, offset: number, limit: number): Promise<ScimUser[]> {
    return this.database.query(page, [orgId, offset, limit]);
  }

  async count(orgId: string): Promise<number> {
    return (await this.database.query<{ total: number }>(count, [orgId]))[0]?.total ?? 0;
  }

  /** Returns up to `limit` users after `after`, oldest first. */
  batch(orgId: string, after: Pick<ScimUser, 'createdAt' | 'id'> | null, limit: number): Promise<ScimUser[]> {
    return this.database.query(batch, [orgId, after?.createdAt ?? '-infinity', after?.id ?? '', limit]);
  }

  /** Whether the address is another user's effective address. */
  async isAddressTaken(tx: Transaction, { orgId, email, id }: ScimUser): Promise<boolean> {
    return email !== null && (await tx.query(addressTaken, [orgId, email, id])).length > 0;
  }

  /** Whether another user is linked to the account. */
  async isAccountTaken(tx: Transaction, { orgId, id }: ScimUser, userId: string): Promise<boolean> {
    return (await tx.query(ofAccount, [orgId, userId, id])).length > 0;
  }

  groupsOf(
    orgId: string,
    ids: readonly string[],
    executor: Executor = this.database,
  ): Promise<GroupOfUser[]> {
    return executor.query(groupsOf, [orgId, ids]);
  }
}
