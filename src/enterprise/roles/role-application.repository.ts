import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationRole } from '../access/organization-role.js';
import type { RoleSource } from './effective-role.policy.js';

/** Narrows to some people or projects of the organization; absent: all. */
export interface RoleScope {
  people?: readonly string[];
  projects?: readonly string[];
}

/** A person in a project, as it is now. */
export interface Pair {
  projectId: string;
  userId: string;
  isActive: boolean;
  organizationRole: OrganizationRole;
  /** Null: not a member of the project. */
  role: MemberRole | null;
  source: RoleSource | null;
  manualRole: MemberRole | null;
}

export interface WantedRole {
  projectId: string;
  userId: string;
  role: MemberRole;
  source: RoleSource;
  manualRole: MemberRole | null;
}

/** People with a role in the project, and those whose place in the organization gives one. */
const pairs = statement(
  'role_application.pairs',
  `SELECT a.project_id AS "projectId", o.user_id AS "userId", o.active AS "isActive", o.role AS "organizationRole",
     m.role, m.source, CASE WHEN m.source = 'manual' THEN m.role ELSE m.manual_role END AS "manualRole"
   FROM organization_members o
   JOIN organization_projects a ON a.org_id = o.org_id
   JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   LEFT JOIN project_members m ON m.project_id = a.project_id AND m.user_id = o.user_id
   WHERE o.org_id = $1
     AND ($2::text[] IS NULL OR o.user_id = ANY ($2))
     AND ($3::text[] IS NULL OR a.project_id = ANY ($3))
     AND (m.user_id IS NOT NULL OR o.active AND o.role <> 'member')
   ORDER BY a.project_id, o.user_id`,
);

const set = statement(
  'role_application.set',
  `INSERT INTO project_members (project_id, user_id, role, source, manual_role, accepted_at)
   SELECT *, $6::timestamptz FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
   ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, source = excluded.source,
     manual_role = excluded.manual_role`,
);

const remove = statement(
  'role_application.remove',
  `DELETE FROM project_members m USING unnest($1::text[], $2::text[]) AS gone (project_id, user_id)
   WHERE m.project_id = gone.project_id AND m.user_id = gone.user_id`,
);

@Injectable()
export class RoleApplicationRepository {
  pairs(tx: Transaction, orgId: string, { people, projects }: RoleScope): Promise<Pair[]> {
    return tx.query(pairs, [orgId, people ?? null, projects ?? null]);
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

  /** Also ends what the person let clients do there. */
  async remove(tx: Transaction, gone: readonly Pick<Pair, 'projectId' | 'userId'>[]): Promise<void> {
    if (gone.length === 0) return;
    await tx.query(remove, [gone.map(({ projectId }) => projectId), gone.map(({ userId }) => userId)]);
  }
}
