import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { RoleSource } from './effective-role.policy.js';

/** A person on a project of the organization. */
export interface OrganizationProjectMember {
  projectId: string;
  userId: string;
  email: string;
  name: string | null;
  role: MemberRole;
  /** Null unless `role` is an existing custom role. */
  customName: string | null;
  source: RoleSource;
  acceptedAt: Date;
}

const members = `SELECT m.project_id AS "projectId", m.user_id AS "userId", u.email, u.name, m.role, r.name AS "customName",
     m.source, m.accepted_at AS "acceptedAt"
   FROM organization_projects a
   JOIN project_members m ON m.project_id = a.project_id
   JOIN users u ON u.id = m.user_id
   LEFT JOIN custom_roles r ON r.org_id = a.org_id AND r.id = m.role
     AND (r.project_id IS NULL OR r.project_id = m.project_id)
   WHERE a.org_id = $1 AND a.project_id = $2`;

const page = statement(
  'project_roles.page',
  `${members} AND ($3::timestamptz IS NULL OR (m.accepted_at, m.user_id) > ($3, $4::text))
   ORDER BY m.accepted_at, m.user_id LIMIT $5`,
);

const find = statement('project_roles.find', `${members} AND m.user_id = $3`);

const isInOrganization = statement(
  'project_roles.is_in_organization',
  `SELECT 1 FROM organization_projects a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   WHERE a.org_id = $1 AND a.project_id = $2`,
);

/* Locks rows in one order, to avoid deadlocks. */
const lockAdmins = statement(
  'project_roles.lock_admins',
  `SELECT user_id AS "userId" FROM project_members WHERE project_id = $1 AND role = 'admin'
   ORDER BY user_id FOR UPDATE`,
);

const assign = statement(
  'project_roles.assign',
  `UPDATE project_members SET role = $3, source = 'manual', manual_role = NULL
   WHERE project_id = $1 AND user_id = $2`,
);

@Injectable()
export class ProjectRolesRepository {
  constructor(private readonly database: DatabaseService) {}

  page(
    orgId: string,
    projectId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<OrganizationProjectMember[]> {
    return this.database.query(page, [orgId, projectId, ...(after ?? [null, null]), limit + 1]);
  }

  async placeOf(orgId: string, projectId: string, userId: string): Promise<Place | null> {
    const member = await this.find(orgId, projectId, userId);
    return member && [member.acceptedAt, userId];
  }

  async find(
    orgId: string,
    projectId: string,
    userId: string,
    executor: Executor = this.database,
  ): Promise<OrganizationProjectMember | null> {
    const values = [orgId, projectId, userId];
    return (await executor.query<OrganizationProjectMember>(find, values))[0] ?? null;
  }

  async isInOrganization(orgId: string, projectId: string): Promise<boolean> {
    return (await this.database.query(isInOrganization, [orgId, projectId])).length > 0;
  }

  /** Returns the ids of the project's admins, and locks their memberships until `tx` ends. */
  async lockAdmins(tx: Transaction, projectId: string): Promise<string[]> {
    return (await tx.query<{ userId: string }>(lockAdmins, [projectId])).map(({ userId }) => userId);
  }

  async assign(tx: Transaction, projectId: string, userId: string, role: MemberRole): Promise<void> {
    await tx.query(assign, [projectId, userId, role]);
  }
}
