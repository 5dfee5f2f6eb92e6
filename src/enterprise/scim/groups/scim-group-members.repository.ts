import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

/** A user in a group. */
export interface GroupMember {
  groupId: string;
  scimUserId: string;
  userName: string;
}

type GroupKey = { orgId: string; id: string };

const unknown = statement(
  'scim_group_members.unknown',
  `SELECT given.id FROM unnest($2::text[]) AS given (id)
   LEFT JOIN scim_users u ON u.org_id = $1 AND u.id = given.id WHERE u.id IS NULL LIMIT 1`,
);

const add = statement(
  'scim_group_members.add',
  `INSERT INTO scim_group_members (org_id, group_id, scim_user_id) SELECT $1, $2, id FROM unnest($3::text[]) AS id
   ON CONFLICT DO NOTHING RETURNING scim_user_id AS id`,
);

const remove = statement(
  'scim_group_members.remove',
  `DELETE FROM scim_group_members WHERE org_id = $1 AND group_id = $2 AND scim_user_id = ANY ($3)
   RETURNING scim_user_id AS id`,
);

const removeOthers = statement(
  'scim_group_members.remove_others',
  `DELETE FROM scim_group_members m WHERE m.org_id = $1 AND m.group_id = $2
     AND NOT EXISTS (SELECT FROM unnest($3::text[]) AS kept (id) WHERE kept.id = m.scim_user_id)
   RETURNING m.scim_user_id AS id`,
);

const count = statement(
  'scim_group_members.count',
  'SELECT count(*)::int AS total FROM scim_group_members WHERE org_id = $1 AND group_id = $2',
);

const ofGroups = statement(
  'scim_group_members.of_groups',
  `SELECT m.group_id AS "groupId", m.scim_user_id AS "scimUserId", u.user_name AS "userName"
   FROM scim_group_members m JOIN scim_users u ON u.org_id = m.org_id AND u.id = m.scim_user_id
   WHERE m.org_id = $1 AND m.group_id = ANY ($2) ORDER BY m.group_id, m.scim_user_id`,
);

const accountsOf = statement(
  'scim_group_members.accounts_of_users',
  `SELECT user_id AS id FROM scim_users WHERE org_id = $1 AND id = ANY ($2) AND user_id IS NOT NULL`,
);

const accountsIn = statement(
  'scim_group_members.accounts_in_group',
  `SELECT u.user_id AS id FROM scim_group_members m JOIN scim_users u ON u.org_id = m.org_id AND u.id = m.scim_user_id
   WHERE m.org_id = $1 AND m.group_id = $2 AND u.user_id IS NOT NULL`,
);

async function ids(rows: Promise<{ id: string }[]>): Promise<string[]> {
  return (await rows).map(({ id }) => id);
}

@Injectable()
export class ScimGroupMembersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the first id that is not a user of the organization, or null. */
  async unknown(tx: Transaction, orgId: string, userIds: readonly string[]): Promise<string | null> {
    return (await ids(tx.query(unknown, [orgId, userIds])))[0] ?? null;
  }

  /** Returns the users who were not members before. */
  add(tx: Transaction, { orgId, id }: GroupKey, userIds: readonly string[]): Promise<string[]> {
    return ids(tx.query(add, [orgId, id, userIds]));
  }

  /** Returns the users who were members. */
  remove(tx: Transaction, { orgId, id }: GroupKey, userIds: readonly string[]): Promise<string[]> {
    return ids(tx.query(remove, [orgId, id, userIds]));
  }

  /** Removes all other members and returns them. */
  removeOthers(tx: Transaction, { orgId, id }: GroupKey, kept: readonly string[]): Promise<string[]> {
    return ids(tx.query(removeOthers, [orgId, id, kept]));
  }

  async count({ orgId, id }: GroupKey, executor: Executor = this.database): Promise<number> {
    return (await executor.query<{ total: number }>(count, [orgId, id]))[0]?.total ?? 0;
  }

  ofGroups(orgId: string, groupIds: readonly string[]): Promise<GroupMember[]> {
    return this.database.query(ofGroups, [orgId, groupIds]);
  }

  /** Returns the accounts of the given users. */
  accountsOf(tx: Transaction, orgId: string, userIds: readonly string[]): Promise<string[]> {
    return ids(tx.query(accountsOf, [orgId, userIds]));
  }

  /** Returns the accounts of all members. */
  accountsIn(tx: Transaction, { orgId, id }: GroupKey): Promise<string[]> {
    return ids(tx.query(accountsIn, [orgId, id]));
  }
}
