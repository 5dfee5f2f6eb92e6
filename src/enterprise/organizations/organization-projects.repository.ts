import { Injectable } from '@nestjs/common';
import type { Region } from '../../platform/config/enterprise-settings.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationProject } from './organization-project.entity.js';

export interface ListedProject extends OrganizationProject {
  name: string;
  memberCount: number;
  /** The caller's role in the project; null if they are not a member. */
  role: MemberRole | null;
}

const projects = `SELECT a.org_id AS "orgId", a.project_id AS "projectId", p.name, a.region, a.added_at AS "addedAt",
     (SELECT count(*)::int FROM project_members c WHERE c.project_id = a.project_id) AS "memberCount", m.role
   FROM organization_projects a
   JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   LEFT JOIN project_members m ON m.project_id = a.project_id AND m.user_id = $2
   WHERE a.org_id = $1`;

const page = statement(
  'organization_projects.page',
  `${projects} AND ($3::timestamptz IS NULL OR (a.added_at, a.project_id) > ($3, $4::text))
   ORDER BY a.added_at, a.project_id LIMIT $5`,
);

const find = statement('organization_projects.find', `${projects} AND a.project_id = $3`);

/** Also waits for people who are joining, because their rows reference the project's. */
const lockProject = statement(
  'organization_projects.lock_project',
  `SELECT id FROM projects WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
);

const insert = statement(
  'organization_projects.insert',
  `INSERT INTO organization_projects (org_id, project_id, region, added_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING project_id`,
);

const setRegion = statement(
  'organization_projects.set_region',
  `UPDATE organization_projects SET region = $3 WHERE org_id = $1 AND project_id = $2`,
);

/** Keeps the roles as manual ones. A custom role belongs to the organization and becomes viewer. */
const keepRoles = statement(
  'organization_projects.keep_roles',
  `UPDATE project_members SET source = 'manual', manual_role = NULL,
     role = CASE WHEN role IN ('admin', 'developer', 'viewer') THEN role ELSE 'viewer' END
   WHERE project_id = $1 AND (source <> 'manual' OR role NOT IN ('admin', 'developer', 'viewer'))`,
);

/** Also deletes the project's group mappings and custom roles. */
const remove = statement(
  'organization_projects.remove',
  `DELETE FROM organization_projects WHERE org_id = $1 AND project_id = $2`,
);

/** Ordered as the rows are locked. */
const presentIds = statement(
  'organization_projects.present_ids',
  `SELECT a.project_id AS id FROM organization_projects a
   JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   WHERE a.org_id = $1 ORDER BY a.project_id`,
);

const elsewhere = statement(
  'organization_projects.elsewhere',
  `SELECT a.project_id AS "projectId", a.region FROM organization_projects a WHERE a.region <> $1`,
);

@Injectable()
export class OrganizationProjectsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns up to `limit + 1` projects with the person's role in each, in the order in which they were moved in. */
  page(orgId: string, userId: string, { limit }: PageRequest, after: Place | null): Promise<ListedProject[]> {
    return this.database.query(page, [orgId, userId, ...(after ?? [null, null]), limit + 1]);
  }

  async find(
    orgId: string,
    userId: string,
    projectId: string,
    executor: Executor = this.database,
  ): Promise<ListedProject | null> {
    return (await executor.query<ListedProject>(find, [orgId, userId, projectId]))[0] ?? null;
  }

  /** Returns false if the project is not found. Prevents joining, leaving and deletion until `tx` ends. */
  async lockProject(tx: Transaction, projectId: string): Promise<boolean> {
    return (await tx.query(lockProject, [projectId])).length > 0;
  }

  /** Returns false if the project already belongs to an organization. */
  async insert(
    tx: Transaction,
    { orgId, projectId, region, addedAt }: OrganizationProject,
  ): Promise<boolean> {
    return (await tx.query(insert, [orgId, projectId, region, addedAt])).length > 0;
  }

  async setRegion(tx: Transaction, orgId: string, projectId: string, region: Region): Promise<void> {
    await tx.query(setRegion, [orgId, projectId, region]);
  }

  async remove(tx: Transaction, orgId: string, projectId: string): Promise<void> {
    await tx.query(keepRoles, [projectId]);
    await tx.query(remove, [orgId, projectId]);
  }

  async presentIds(tx: Transaction, orgId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(presentIds, [orgId])).map(({ id }) => id);
  }

  /** Returns the projects of all organizations that are in another region, with that region. */
  async elsewhere(tx: Transaction, own: Region): Promise<Map<string, Region>> {
    const rows = await tx.query<{ projectId: string; region: Region }>(elsewhere, [own]);
    return new Map(rows.map(({ projectId, region }) => [projectId, region]));
  }
}
