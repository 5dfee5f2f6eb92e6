import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationRole } from './organization-role.js';

/** Whether `o` requires single sign-on of the person `u`, whose membership is `m`. */
const REQUIRES_SSO = `coalesce(o.sso_enforced AND (m.role IS NULL OR m.role <> 'owner') AND EXISTS (
     SELECT FROM sso_domains d WHERE d.org_id = o.id AND d.verified_at IS NOT NULL
       AND d.domain = substring(u.email from '[^@]*$')), false)`;

const findMember = statement(
  'organization_access.find_member',
  `SELECT m.role, ${REQUIRES_SSO} AS "requiresSso"
   FROM organizations o
   JOIN organization_members m ON m.org_id = o.id AND m.user_id = $2 AND m.active
   JOIN users u ON u.id = m.user_id
   WHERE o.id = $1`,
);

/** Reads role, organization, custom role and sign-in rule in one query, because it runs on every session request. */
const findRoles = statement(
  'organization_access.find_roles',
  `SELECT p.id AS "projectId", pm.role, a.org_id AS "organizationId", coalesce(m.active, true) AS "isActive",
     r.name AS "customName", r.scopes AS "customScopes", ${REQUIRES_SSO} AS "requiresSso"
   FROM project_members pm
   JOIN projects p ON p.id = pm.project_id AND p.deleted_at IS NULL
   JOIN users u ON u.id = pm.user_id
   LEFT JOIN organization_projects a ON a.project_id = pm.project_id
   LEFT JOIN organizations o ON o.id = a.org_id
   LEFT JOIN organization_members m ON m.org_id = a.org_id AND m.user_id = pm.user_id
   LEFT JOIN custom_roles r ON r.org_id = a.org_id AND r.id = pm.role
     AND (r.project_id IS NULL OR r.project_id = pm.project_id)
   WHERE pm.project_id = ANY ($1) AND pm.user_id = $2`,
);

const requiringOrganization = statement(
  'organization_access.requiring_organization',
  `SELECT o.name FROM sso_domains d
   JOIN organizations o ON o.id = d.org_id AND o.sso_enforced
   LEFT JOIN users u ON u.email = $1
   LEFT JOIN organization_members m ON m.org_id = o.id AND m.user_id = u.id AND m.active
   WHERE d.domain = substring($1 from '[^@]*$') AND d.verified_at IS NOT NULL AND m.role IS DISTINCT FROM 'owner'`,
);

/** Serializes changes to an organization's people, roles and projects until the transaction ends. */
const lock = statement(
  'organizations.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('organization:' || $1, 0))`,
);

export interface FoundRole {
  projectId: string;
  role: MemberRole;
  organizationId: string | null;
  isActive: boolean;
  /** Null unless `role` is a custom role of the organization. */
  customName: string | null;
  customScopes: string[] | null;
  requiresSso: boolean;
}

@Injectable()
export class OrganizationAccessRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns null unless the person is an active member. */
  async findMember(
    orgId: string,
    userId: string,
  ): Promise<{ role: OrganizationRole; requiresSso: boolean } | null> {
    const values = [orgId, userId];
    const [row] = await this.database.query<{ role: OrganizationRole; requiresSso: boolean }>(
      findMember,
      values,
    );
    return row ?? null;
  }

  /** Returns the person's memberships in the given projects. */
  findRoles(projectIds: readonly string[], userId: string): Promise<FoundRole[]> {
    return this.database.query(findRoles, [projectIds, userId]);
  }

  /** Returns the name of the organization that requires single sign-on for this address, or null. */
  async requiringOrganization(email: string, executor: Executor = this.database): Promise<string | null> {
    return (await executor.query<{ name: string }>(requiringOrganization, [email]))[0]?.name ?? null;
  }

  /** Waits for other changes to the organization's people, roles and projects. */
  async lock(tx: Transaction, orgId: string): Promise<void> {
    await tx.query(lock, [orgId]);
  }
}
