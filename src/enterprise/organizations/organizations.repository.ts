import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { longStatement, statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { Organization } from '../access/organization.entity.js';
import type { OrganizationRole } from '../access/organization-role.js';

/** An organization with the role of one of its members. */
export interface SeenOrganization extends Organization {
  role: OrganizationRole;
  memberCount: number;
  projectCount: number;
  seatsUsed: number;
}

export interface OrganizationCounts {
  connections: number;
  enabledConnections: number;
  domains: number;
  verifiedDomains: number;
  tokens: number;
  scimUsers: number;
  activeScimUsers: number;
  scimGroups: number;
  customRoles: number;
  roleMappings: number;
}

const seen = `SELECT o.id, o.name, o.region, o.audit_retention_days AS "auditRetentionDays",
     o.sso_enforced AS "ssoEnforced", o.seats, o.billing_email AS "billingEmail", o.created_at AS "createdAt",
     o.updated_at AS "updatedAt", m.role,
     (SELECT count(*)::int FROM organization_members c WHERE c.org_id = o.id AND c.active) AS "memberCount",
     (SELECT count(*)::int FROM organization_projects a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
      WHERE a.org_id = o.id) AS "projectCount",
     (SELECT count(*)::int FROM (
        SELECT c.user_id FROM organization_members c WHERE c.org_id = o.id AND c.active
        UNION
        SELECT pm.user_id FROM organization_projects a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
        JOIN project_members pm ON pm.project_id = a.project_id WHERE a.org_id = o.id
      ) people) AS "seatsUsed"
   FROM organization_members m JOIN organizations o ON o.id = m.org_id
   WHERE m.user_id = $1 AND m.active`;

const page = statement(
  'organizations.page',
  `${seen} AND ($2::timestamptz IS NULL OR (o.created_at, o.id) > ($2, $3::text))
   ORDER BY o.created_at, o.id LIMIT $4`,
);

const find = statement('organizations.find', `${seen} AND o.id = $2`);

const insert = statement(
  'organizations.insert',
  `INSERT INTO organizations (id, name, region, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
);

/** An arbitrary fixed lock key, so that concurrent creations are counted one at a time. */
const COUNT_LOCK = 746_210_003;

const lockCount = statement('organizations.lock_count', 'SELECT pg_advisory_xact_lock($1)');

const count = statement('organizations.count', `SELECT count(*)::int AS count FROM organizations`);

const update = statement(
  'organizations.update',
  `UPDATE organizations SET name = $2, region = $3, audit_retention_days = $4, sso_enforced = $5, seats = $6,
     billing_email = $7, updated_at = $8
   WHERE id = $1`,
);

/** Removes projects that are deleted but not yet purged. */
const forgetDeletedProjects = statement(
  'organizations.forget_deleted_projects',
  `DELETE FROM organization_projects a USING projects p
   WHERE a.org_id = $1 AND p.id = a.project_id AND p.deleted_at IS NOT NULL`,
);

const endSessions = statement(
  'organizations.end_sessions',
  `DELETE FROM sessions WHERE sso_connection_id IN (SELECT id FROM sso_connections WHERE org_id = $1)`,
);

const remove = longStatement('organizations.delete', `DELETE FROM organizations WHERE id = $1`);

const counts = statement(
  'organizations.counts',
  `SELECT
     (SELECT count(*)::int FROM sso_connections WHERE org_id = $1) AS connections,
     (SELECT count(*)::int FROM sso_connections WHERE org_id = $1 AND enabled) AS "enabledConnections",
     (SELECT count(*)::int FROM sso_domains WHERE org_id = $1) AS domains,
     (SELECT count(*)::int FROM sso_domains WHERE org_id = $1 AND verified_at IS NOT NULL) AS "verifiedDomains",
     (SELECT count(*)::int FROM scim_tokens WHERE org_id = $1 AND revoked_at IS NULL) AS tokens,
     (SELECT count(*)::int FROM scim_users WHERE org_id = $1) AS "scimUsers",
     (SELECT count(*)::int FROM scim_users WHERE org_id = $1 AND active) AS "activeScimUsers",
     (SELECT count(*)::int FROM scim_groups WHERE org_id = $1) AS "scimGroups",
     (SELECT count(*)::int FROM custom_roles WHERE org_id = $1) AS "customRoles",
     (SELECT count(*)::int FROM role_mappings WHERE org_id = $1) AS "roleMappings"`,
);

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns up to `limit + 1` organizations in which the person is active, oldest first. */
  page(userId: string, { limit }: PageRequest, after: Place | null): Promise<SeenOrganization[]> {
    return this.database.query(page, [userId, ...(after ?? [null, null]), limit + 1]);
  }

  /** Returns null unless the person is an active member. */
  async find(
    orgId: string,
    userId: string,
    executor: Executor = this.database,
  ): Promise<SeenOrganization | null> {
    return (await executor.query<SeenOrganization>(find, [userId, orgId]))[0] ?? null;
  }

  async insert(tx: Transaction, { id, name, region, createdAt }: Organization): Promise<void> {
    await tx.query(insert, [id, name, region, createdAt]);
  }

  async update(tx: Transaction, organization: Organization): Promise<void> {
    const { id, name, region, auditRetentionDays, ssoEnforced, seats, billingEmail, updatedAt } =
      organization;
    await tx.query(update, [
      id,
      name,
      region,
      auditRetentionDays,
      ssoEnforced,
      seats,
      billingEmail,
      updatedAt,
    ]);
  }

  /** Deletes everything that belongs to it, including sessions opened through its identity providers. */
  async delete(tx: Transaction, orgId: string): Promise<void> {
    await tx.query(forgetDeletedProjects, [orgId]);
    await tx.query(endSessions, [orgId]);
    await tx.query(remove, [orgId]);
  }

  async counts(orgId: string, executor: Executor = this.database): Promise<OrganizationCounts> {
    const [row] = await executor.query<OrganizationCounts>(counts, [orgId]);
    if (!row) throw new Error('the counts are one row');
    return row;
  }

  /** Counts the organizations of the whole server. No other transaction can count until `tx` ends. */
  async countAlone(tx: Transaction): Promise<number> {
    await tx.query(lockCount, [COUNT_LOCK]);
    return (await tx.query<{ count: number }>(count, []))[0]?.count ?? 0;
  }
}
