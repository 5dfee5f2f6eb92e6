import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationRole } from '../access/organization-role.js';
import type { RoleSource } from './effective-role.policy.js';
import type { RankedRole } from './highest-role.policy.js';

/** Limits the work to some people or projects of the organization. An absent field selects all. */
export interface RoleScope {
  people?: readonly string[];
  projects?: readonly string[];
}

/** A person's current state in a project. */
export interface Pair {
  projectId: string;
  userId: string;
  isActive: boolean;
  organizationRole: OrganizationRole;
  /** Null unless the person is a member of the project. */
  role: MemberRole | null;
  source: RoleSource | null;
  manualRole: MemberRole | null;
  /** Roles that mappings grant to the person's groups. */
  mappedRoles: MemberRole[];
}

export interface WantedRole {
  projectId: string;
  userId: string;
  role: MemberRole;
  source: RoleSource;
  manualRole: MemberRole | null;
}

const ofProjects = (column: string): string => `($2::text[] IS NULL OR ${column} = ANY ($2))`;

/**
 * People with a role in the project, or who get one from their organization role or a group. A person's groups are
 * those of SCIM and those of the last single sign-on. `ofPeople` filters a column of person ids. Some people and all
 * people use different statements, so that the one for some starts with them, however large their groups are.
 */
const pairsOf = (ofPeople: (column: string) => string): string => `
  WITH people AS (
    SELECT user_id, role, active, sso_groups FROM organization_members
    WHERE org_id = $1 ${ofPeople('user_id')}
  ), places AS (
    SELECT a.project_id FROM organization_projects a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
    WHERE a.org_id = $1 AND ${ofProjects('a.project_id')}
  ), mapped AS (
    SELECT project_id, user_id, array_agg(DISTINCT role) AS roles FROM (
      SELECT r.project_id, u.user_id, r.role
      FROM scim_users u
      JOIN scim_group_members n ON n.org_id = u.org_id AND n.scim_user_id = u.id
      JOIN scim_groups g ON g.org_id = n.org_id AND g.id = n.group_id
      JOIN role_mappings r ON r.org_id = g.org_id AND lower(r.group_name) = lower(g.display_name)
      WHERE u.org_id = $1 AND u.user_id IS NOT NULL ${ofPeople('u.user_id')} AND ${ofProjects('r.project_id')}
      UNION ALL
      SELECT r.project_id, o.user_id, r.role
      FROM people o
      CROSS JOIN LATERAL unnest(o.sso_groups) AS s (name)
      JOIN role_mappings r ON lower(r.group_name) = lower(s.name)
      WHERE r.org_id = $1 AND ${ofProjects('r.project_id')}
    ) given GROUP BY project_id, user_id
  ), keys AS (
    SELECT m.project_id, m.user_id FROM places a
    JOIN project_members m ON m.project_id = a.project_id JOIN people o ON o.user_id = m.user_id
    UNION
    SELECT project_id, user_id FROM mapped
    UNION
    SELECT a.project_id, o.user_id FROM people o CROSS JOIN places a WHERE o.active AND o.role <> 'member'
  )
  SELECT k.project_id AS "projectId", k.user_id AS "userId", o.active AS "isActive", o.role AS "organizationRole",
    m.role, m.source, CASE WHEN m.source = 'manual' THEN m.role ELSE m.manual_role END AS "manualRole",
    coalesce(g.roles, '{}') AS "mappedRoles"
  FROM keys k
  JOIN places a ON a.project_id = k.project_id
  JOIN people o ON o.user_id = k.user_id
  LEFT JOIN project_members m ON m.project_id = k.project_id AND m.user_id = k.user_id
  LEFT JOIN mapped g ON g.project_id = k.project_id AND g.user_id = k.user_id
  ORDER BY k.project_id, k.user_id`;

const pairsOfAll = statement(
  'role_application.pairs_of_all',
  pairsOf(() => ''),
);
const pairsOfSome = statement(
  'role_application.pairs_of_some',
  pairsOf((column) => `AND ${column} = ANY ($3::text[])`),
);

const customRoles = statement(
  'role_application.custom_roles',
  `SELECT id, name, cardinality(scopes) AS scopes, project_id AS "projectId" FROM custom_roles WHERE org_id = $1`,
);

/* Keeps a role that was assigned meanwhile, and stores it where the organization's role overrides it. */
const set = statement(
  'role_application.set',
  `INSERT INTO project_members AS m (project_id, user_id, role, source, manual_role, accepted_at)
   SELECT *, $6::timestamptz FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
   ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, source = excluded.source,
     manual_role = CASE WHEN m.source = 'manual' THEN m.role ELSE excluded.manual_role END
   WHERE m.source <> 'manual' OR excluded.source <> 'idp'`,
);

const remove = statement(
  'role_application.remove',
  `DELETE FROM project_members m USING unnest($1::text[], $2::text[], $3::text[]) AS gone (project_id, user_id, source)
   WHERE m.project_id = gone.project_id AND m.user_id = gone.user_id AND m.source = gone.source`,
);

@Injectable()
export class RoleApplicationRepository {
  pairs(tx: Transaction, orgId: string, { people, projects }: RoleScope): Promise<Pair[]> {
    const values = [orgId, projects ?? null];
    return people ? tx.query(pairsOfSome, [...values, people]) : tx.query(pairsOfAll, values);
  }

  async customRoles(tx: Transaction, orgId: string): Promise<Map<string, RankedRole>> {
    const rows = await tx.query<RankedRole>(customRoles, [orgId]);
    return new Map(rows.map((role) => [role.id, role]));
  }

  async set(tx: Transaction, wanted: readonly WantedRole[], now: Date): Promise<void> {
    if (wanted.length === 0) return;
    const column = <Name extends keyof WantedRole>(name: Name) => wanted.map((row) => row[name]);
    await tx.query(set, [
      column('projectId'),
      column('userId'),
      column('role'),
      column('source'),
      column('manualRole'),
      now,
    ]);
  }

  /** Also revokes the clients that the person authorized there. */
  async remove(
    tx: Transaction,
    gone: readonly Pick<Pair, 'projectId' | 'userId' | 'source'>[],
  ): Promise<void> {
    if (gone.length === 0) return;
    await tx.query(remove, [
      gone.map(({ projectId }) => projectId),
      gone.map(({ userId }) => userId),
      gone.map(({ source }) => source),
    ]);
  }
}
