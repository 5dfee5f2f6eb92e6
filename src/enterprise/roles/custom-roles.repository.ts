import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { CustomRoleId } from '../../platform/principal/permissions.js';
import { CustomRole } from './custom-role.entity.js';

export type ListedRole = CustomRole & { memberCount: number };

const roles = `SELECT r.org_id AS "orgId", r.id, r.name, r.description, r.scopes, r.project_id AS "projectId",
     r.created_at AS "createdAt", r.updated_at AS "updatedAt", (
       SELECT count(DISTINCT m.user_id)::int FROM organization_projects a
       JOIN project_members m ON m.project_id = a.project_id AND m.role = r.id
       WHERE a.org_id = r.org_id) AS "memberCount"
   FROM custom_roles r WHERE r.org_id = $1`;

const page = statement(
  'custom_roles.page',
  `${roles} AND ($2::timestamptz IS NULL OR (r.created_at, r.id) > ($2, $3::text))
   ORDER BY r.created_at, r.id LIMIT $4`,
);

const find = statement('custom_roles.find', `${roles} AND r.id = $2`);

const isInOrganization = statement(
  'custom_roles.is_in_organization',
  `SELECT 1 FROM organization_projects WHERE org_id = $1 AND project_id = $2`,
);

/** Projects that use the role: as a member's current or stored manual role, or in a group mapping. */
const projectsUsing = statement(
  'custom_roles.projects_using',
  `SELECT a.project_id AS "projectId" FROM organization_projects a WHERE a.org_id = $1 AND (
     EXISTS (SELECT FROM project_members m WHERE m.project_id = a.project_id AND (m.role = $2 OR m.manual_role = $2))
     OR EXISTS (SELECT FROM role_mappings g WHERE g.org_id = a.org_id AND g.project_id = a.project_id AND g.role = $2))`,
);

/** Skips roles from groups, because the mappings decide what else the person's groups grant. */
const makeViewers = statement(
  'custom_roles.make_viewers',
  `UPDATE project_members m SET
     role = CASE WHEN m.role = $2 THEN 'viewer' ELSE m.role END,
     manual_role = CASE WHEN m.manual_role = $2 THEN 'viewer' ELSE m.manual_role END
   FROM organization_projects a
   WHERE a.org_id = $1 AND m.project_id = a.project_id
     AND (m.role = $2 AND m.source <> 'idp' OR m.manual_role = $2)`,
);

const deleteMappings = statement(
  'custom_roles.delete_mappings',
  `DELETE FROM role_mappings WHERE org_id = $1 AND role = $2`,
);

@Injectable()
export class CustomRolesRepository {
  constructor(
    @InjectRepository(CustomRole) private readonly roles: Repository<CustomRole>,
    private readonly database: DatabaseService,
  ) {}

  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<ListedRole[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }

  async placeOf(orgId: string, id: string): Promise<Place | null> {
    const role = await this.find(orgId, id);
    return role && [role.createdAt, id];
  }

  async find(orgId: string, id: string, executor: Executor = this.database): Promise<ListedRole | null> {
    return (await executor.query<ListedRole>(find, [orgId, id]))[0] ?? null;
  }

  async insert(tx: Transaction, role: CustomRole): Promise<void> {
    await onTransaction(this.roles, tx).insert(role);
  }

  async update(tx: Transaction, role: CustomRole): Promise<void> {
    const { orgId, id, name, description, scopes, projectId, updatedAt } = role;
    const columns = { name, description, scopes, projectId, updatedAt };
    await onTransaction(this.roles, tx).update({ orgId, id }, columns);
  }

  async delete(tx: Transaction, orgId: string, id: CustomRoleId): Promise<void> {
    await onTransaction(this.roles, tx).delete({ orgId, id });
  }

  async isInOrganization(executor: Executor, orgId: string, projectId: string): Promise<boolean> {
    return (await executor.query(isInOrganization, [orgId, projectId])).length > 0;
  }

  async projectsUsing(tx: Transaction, orgId: string, id: string): Promise<string[]> {
    const rows = await tx.query<{ projectId: string }>(projectsUsing, [orgId, id]);
    return rows.map(({ projectId }) => projectId);
  }

  /** Turns people who hold the role manually into viewers, and deletes the role's group mappings. */
  async takeAway(tx: Transaction, orgId: string, id: string): Promise<void> {
    await tx.query(makeViewers, [orgId, id]);
    await tx.query(deleteMappings, [orgId, id]);
  }
}
