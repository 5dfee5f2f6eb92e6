import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.service.js';
import { type Statement, statement } from '../../platform/database/statement.js';
import type { AccessRow } from './access-review.js';
import type { ExportRow } from './export-format.js';

/** Rows per read. */
const BATCH = 100;

/** Epoch time as ISO 8601 in UTC, with milliseconds. */
const iso = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/* Excludes rows of projects that have left the organization. */
const auditLogs = `
  SELECT occurred_at, id, 'organization' AS scope, NULL::text AS project_id, action, actor_type, actor_id, actor_email,
    target_type, target_id, data::text AS data
  FROM organization_audit_logs
  WHERE org_id = $1 AND ($2::timestamptz IS NULL OR occurred_at >= $2) AND ($3::timestamptz IS NULL OR occurred_at < $3)
  UNION ALL
  SELECT l.occurred_at, l.id, 'project', l.project_id, l.action_type, l.actor_type,
    CASE WHEN l.actor_type <> 'user' THEN l.actor_identifier END,
    CASE WHEN l.actor_type = 'user' THEN l.actor_identifier END,
    l.target_type, l.target_identifier, l.additional_data::text
  FROM organization_projects a JOIN audit_logs l ON l.project_id = a.project_id
  WHERE a.org_id = $1 AND ($2::timestamptz IS NULL OR l.occurred_at >= $2)
    AND ($3::timestamptz IS NULL OR l.occurred_at < $3)`;

const openAuditLogs = statement(
  'exports.open_audit_logs',
  `DECLARE compliance_export NO SCROLL CURSOR FOR
   SELECT id, ${iso('occurred_at')} AS occurred_at, scope, project_id, action, actor_type, actor_id, actor_email,
     target_type, target_id, data
   FROM (${auditLogs}) l ORDER BY l.occurred_at, l.id`,
);

/** Stops counting once the export has too many rows. */
const countAuditLogs = statement(
  'exports.count_audit_logs',
  `SELECT count(*)::int AS rows FROM (SELECT 1 FROM (${auditLogs}) l LIMIT $4) counted`,
);

/** Members of the organization, and other people of its projects; one row per person and project. */
const accessReview = `
  FROM (
    SELECT user_id FROM organization_members WHERE org_id = $1
    UNION
    SELECT m.user_id FROM organization_projects a JOIN project_members m ON m.project_id = a.project_id
    WHERE a.org_id = $1
  ) people
  JOIN users u ON u.id = people.user_id
  LEFT JOIN organization_members o ON o.org_id = $1 AND o.user_id = people.user_id
  LEFT JOIN LATERAL (
    SELECT m.project_id, m.role, m.source, p.name AS project_name
    FROM organization_projects a
    JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
    JOIN project_members m ON m.project_id = a.project_id
    WHERE a.org_id = $1 AND m.user_id = people.user_id
  ) access ON true
  LEFT JOIN custom_roles r ON r.org_id = $1 AND r.id = access.role
    AND (r.project_id IS NULL OR r.project_id = access.project_id)
  LEFT JOIN scim_users s ON s.org_id = $1 AND s.user_id = people.user_id`;

const openAccessReview = statement(
  'exports.open_access_review',
  `DECLARE compliance_export NO SCROLL CURSOR FOR
   SELECT u.id AS user_id, u.email, u.name, o.role AS organization_role, o.active, o.source AS member_source,
     access.project_id, access.project_name, access.role,
     r.name AS custom_name, array_to_string(r.scopes, ' ') AS custom_scopes, access.source AS granted_by,
     u.password_hash IS NOT NULL AS has_password, ${iso('o.last_sso_at')} AS last_sso_at,
     s.id IS NOT NULL AS scim_managed, s.active AS scim_active
   ${accessReview}
   ORDER BY u.email, u.id, access.project_name, access.project_id`,
);

const countAccessReview = statement(
  'exports.count_access_review',
  `SELECT count(*)::int AS rows FROM (SELECT 1 ${accessReview} LIMIT $2) counted`,
);

const organization = statement('exports.organization', 'SELECT id, name FROM organizations WHERE id = $1');

const fetch = statement('exports.fetch', `FETCH ${BATCH} FROM compliance_export`);
const close = statement('exports.close', 'CLOSE compliance_export');

export interface TimeRange {
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
}

/** The rows of exports. Each export reads one snapshot, so that its count and rows agree. */
@Injectable()
export class ExportsRepository {
  async organization(reader: Reader, orgId: string): Promise<{ id: string; name: string } | null> {
    return (await reader.query<{ id: string; name: string }>(organization, [orgId]))[0] ?? null;
  }

  /** Counts up to `limit`. */
  countAuditLogs(reader: Reader, orgId: string, { from, to }: TimeRange, limit: number): Promise<number> {
    return this.count(reader, countAuditLogs, [orgId, from, to, limit]);
  }

  /** Returns rows oldest first. A batch is valid until the next one is requested. */
  auditLogs(reader: Reader, orgId: string, { from, to }: TimeRange): AsyncGenerator<ExportRow[]> {
    return this.batches(reader, openAuditLogs, [orgId, from, to]);
  }

  /** Counts up to `limit`. */
  countAccessReview(reader: Reader, orgId: string, limit: number): Promise<number> {
    return this.count(reader, countAccessReview, [orgId, limit]);
  }

  /** Orders rows by email address, then by project. A batch is valid until the next one is requested. */
  accessReview(reader: Reader, orgId: string): AsyncGenerator<AccessRow[]> {
    return this.batches(reader, openAccessReview, [orgId]);
  }

  private async count(reader: Reader, statement: Statement, values: unknown[]): Promise<number> {
    return (await reader.query<{ rows: number }>(statement, values))[0]?.rows ?? 0;
  }

  private async *batches<Row>(reader: Reader, open: Statement, values: unknown[]): AsyncGenerator<Row[]> {
    await reader.query(open, values);
    for (let isLast = false; !isLast;) {
      const rows = await reader.query<Row>(fetch, []);
      isLast = rows.length < BATCH;
      if (rows.length > 0) yield rows;
      // The driver's results refer to one another; without this, all rows would stay until a full garbage collection.
      rows.length = 0;
    }
    await reader.query(close, []);
  }
}
