import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { OrganizationMember } from '../access/organization-member.entity.js';
import type { OrganizationRole } from '../access/organization-role.js';

export interface ListedMember extends OrganizationMember {
  email: string;
  name: string | null;
  hasPassword: boolean;
}

export type NewOrganizationMember = Pick<
  OrganizationMember,
  'orgId' | 'userId' | 'role' | 'source' | 'createdAt'
>;

const members = `SELECT m.org_id AS "orgId", m.user_id AS "userId", u.email, u.name, m.role, m.source, m.active,
     m.sso_groups AS "ssoGroups", m.last_sso_at AS "lastSsoAt", u.password_hash IS NOT NULL AS "hasPassword",
     m.created_at AS "createdAt"
   FROM organization_members m JOIN users u ON u.id = m.user_id
   WHERE m.org_id = $1`;

const page = statement(
  'organization_members.page',
  `${members} AND ($2::timestamptz IS NULL OR (m.created_at, m.user_id) > ($2, $3::text))
   ORDER BY m.created_at, m.user_id LIMIT $4`,
);

const find = statement('organization_members.find', `${members} AND m.user_id = $2`);

const insert = statement(
  'organization_members.insert',
  `INSERT INTO organization_members (org_id, user_id, role, source, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (org_id, user_id) DO NOTHING`,
);

const insertOfProject = statement(
  'organization_members.insert_of_project',
  `INSERT INTO organization_members (org_id, user_id, role, source, created_at)
   SELECT $1, user_id, 'member', 'project', $3 FROM project_members WHERE project_id = $2
   ON CONFLICT (org_id, user_id) DO NOTHING`,
);

const setRole = statement(
  'organization_members.set_role',
  `UPDATE organization_members SET role = $3 WHERE org_id = $1 AND user_id = $2`,
);

const remove = statement(
  'organization_members.remove',
  `DELETE FROM organization_members WHERE org_id = $1 AND user_id = $2`,
);

const leaveProjects = statement(
  'organization_members.leave_projects',
  `DELETE FROM project_members m USING organization_projects a
   WHERE a.org_id = $1 AND m.project_id = a.project_id AND m.user_id = $2`,
);

const otherOwners = statement(
  'organization_members.other_owners',
  `SELECT count(*)::int AS count FROM organization_members
   WHERE org_id = $1 AND role = 'owner' AND active AND user_id <> $2`,
);

/** Ordered as the rows are locked. */
const ownedBy = statement(
  'organization_members.owned_by',
  `SELECT org_id AS "orgId" FROM organization_members WHERE user_id = $1 AND role = 'owner' ORDER BY org_id`,
);

/** Counts deactivated members too, because their identity provider may reactivate them. */
const others = statement(
  'organization_members.others',
  `SELECT EXISTS (SELECT FROM organization_members WHERE org_id = $1 AND user_id <> $2) AS found`,
);

const findAccount = statement('organization_members.find_account', `SELECT id FROM users WHERE email = $1`);

const nameOf = statement(
  'organization_members.name_of_organization',
  `SELECT name FROM organizations WHERE id = $1`,
);

@Injectable()
export class MembersRepository {
  constructor(private readonly database: DatabaseService) {}

  async nameOf(tx: Transaction, orgId: string): Promise<string> {
    return (await tx.query<{ name: string }>(nameOf, [orgId]))[0]?.name ?? orgId;
  }

  /** Returns up to `limit + 1` members, including deactivated ones, oldest first. */
  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<ListedMember[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }

  async find(
    orgId: string,
    userId: string,
    executor: Executor = this.database,
  ): Promise<ListedMember | null> {
    return (await executor.query<ListedMember>(find, [orgId, userId]))[0] ?? null;
  }

  /** Returns the account id for an email address. */
  async findAccount(tx: Transaction, email: string): Promise<string | null> {
    return (await tx.query<{ id: string }>(findAccount, [email]))[0]?.id ?? null;
  }

  /** Does not change an existing member. */
  async insert(
    tx: Transaction,
    { orgId, userId, role, source, createdAt }: NewOrganizationMember,
  ): Promise<void> {
    await tx.query(insert, [orgId, userId, role, source, createdAt]);
  }

  /** Inserts everyone on a project. Does not change existing members. */
  async insertOfProject(tx: Transaction, orgId: string, projectId: string, now: Date): Promise<void> {
    await tx.query(insertOfProject, [orgId, projectId, now]);
  }

  async setRole(tx: Transaction, orgId: string, userId: string, role: OrganizationRole): Promise<void> {
    await tx.query(setRole, [orgId, userId, role]);
  }

  async remove(tx: Transaction, orgId: string, userId: string): Promise<void> {
    await tx.query(leaveProjects, [orgId, userId]);
    await tx.query(remove, [orgId, userId]);
  }

  /** Whether another active member is an owner. */
  async hasOtherOwner(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return ((await tx.query<{ count: number }>(otherOwners, [orgId, userId]))[0]?.count ?? 0) > 0;
  }

  async ownedBy(tx: Transaction, userId: string): Promise<string[]> {
    return (await tx.query<{ orgId: string }>(ownedBy, [userId])).map(({ orgId }) => orgId);
  }

  /** Whether the organization has other members, active or not. */
  async hasOthers(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return (await tx.query<{ found: boolean }>(others, [orgId, userId]))[0]?.found === true;
  }
}
