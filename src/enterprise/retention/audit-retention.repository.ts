import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { longStatement, statement } from '../../platform/database/statement.js';

const organizations = statement(
  'audit_retention.organizations',
  'SELECT id AS "orgId" FROM organizations WHERE audit_retention_days IS NOT NULL ORDER BY id',
);

/** Returns false while another process deletes for the organization. */
const lock = statement(
  'audit_retention.lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('audit_retention:' || $1, 0)) AS "isLocked"`,
);

const daysOf = statement(
  'audit_retention.days',
  'SELECT audit_retention_days AS days FROM organizations WHERE id = $1',
);

const projectsOf = statement(
  'audit_retention.projects',
  'SELECT project_id AS "projectId" FROM organization_projects WHERE org_id = $1 ORDER BY project_id',
);

const deleteOfOrganization = longStatement(
  'audit_retention.delete_of_organization',
  `WITH old AS (
     SELECT occurred_at, id FROM organization_audit_logs WHERE org_id = $1 AND occurred_at < $2
     ORDER BY occurred_at, id LIMIT $3
   ), gone AS (
     DELETE FROM organization_audit_logs l USING old
     WHERE l.org_id = $1 AND l.occurred_at = old.occurred_at AND l.id = old.id AND l.occurred_at < $2
     RETURNING 1
   )
   SELECT count(*)::int AS rows FROM gone`,
);

const deleteOfProject = longStatement(
  'audit_retention.delete_of_project',
  `WITH old AS (
     SELECT occurred_at, id FROM audit_logs WHERE project_id = $1 AND occurred_at < $2
     ORDER BY occurred_at, id LIMIT $3
   ), gone AS (
     DELETE FROM audit_logs l USING old
     WHERE l.project_id = $1 AND l.occurred_at = old.occurred_at AND l.id = old.id AND l.occurred_at < $2
     RETURNING 1
   )
   SELECT count(*)::int AS rows FROM gone`,
);

interface Deleted {
  rows: number;
}

@Injectable()
export class AuditRetentionRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns ids of the organizations whose audit logs expire. */
  async organizations(): Promise<string[]> {
    return (await this.database.query<{ orgId: string }>(organizations, [])).map(({ orgId }) => orgId);
  }

  /** Locks until `tx` ends. Returns false if another process holds the lock. */
  async lock(tx: Transaction, orgId: string): Promise<boolean> {
    return (await tx.query<{ isLocked: boolean }>(lock, [orgId]))[0]?.isLocked ?? false;
  }

  /** Returns null if the audit log never expires. */
  async daysOf(tx: Transaction, orgId: string): Promise<number | null> {
    return (await tx.query<{ days: number | null }>(daysOf, [orgId]))[0]?.days ?? null;
  }

  async projectsOf(tx: Transaction, orgId: string): Promise<string[]> {
    return (await tx.query<{ projectId: string }>(projectsOf, [orgId])).map(({ projectId }) => projectId);
  }

  /** Deletes up to `limit` of the oldest rows before a time, and returns the count. */
  async deleteOfOrganization(tx: Transaction, orgId: string, before: Date, limit: number): Promise<number> {
    return (await tx.query<Deleted>(deleteOfOrganization, [orgId, before, limit]))[0]?.rows ?? 0;
  }

  /** Like `deleteOfOrganization`, for a project's log. */
  async deleteOfProject(tx: Transaction, projectId: string, before: Date, limit: number): Promise<number> {
    return (await tx.query<Deleted>(deleteOfProject, [projectId, before, limit]))[0]?.rows ?? 0;
  }
}
