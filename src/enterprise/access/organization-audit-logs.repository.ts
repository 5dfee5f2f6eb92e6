import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { OrganizationAuditLogRow } from './organization-audit-log.entity.js';

/** Null selects every row. `to` is exclusive. */
export interface OrganizationAuditLogFilter {
  from: Date | null;
  to: Date | null;
}

const insert = statement(
  'organization_audit_logs.insert',
  `INSERT INTO organization_audit_logs (org_id, id, occurred_at, action, actor_type, actor_id, actor_email,
     target_type, target_id, data)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

const placeOf = statement(
  'organization_audit_logs.place',
  `SELECT occurred_at AS "occurredAt" FROM organization_audit_logs WHERE org_id = $1 AND id = $2`,
);

const columns = `org_id AS "orgId", id, occurred_at AS "occurredAt", action, actor_type AS "actorType",
  actor_id AS "actorId", actor_email AS "actorEmail", target_type AS "targetType", target_id AS "targetId", data`;

@Injectable()
export class OrganizationAuditLogsRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, row: OrganizationAuditLogRow): Promise<void> {
    await tx.query(insert, [
      row.orgId,
      row.id,
      row.occurredAt,
      row.action,
      row.actorType,
      row.actorId,
      row.actorEmail,
      row.targetType,
      row.targetId,
      row.data,
    ]);
  }

  async placeOf(orgId: string, id: string): Promise<Place | null> {
    const [row] = await this.database.query<{ occurredAt: Date }>(placeOf, [orgId, id]);
    return row ? [row.occurredAt, id] : null;
  }

  /** Returns up to `limit + 1` rows, newest first. */
  page(
    orgId: string,
    { from, to }: OrganizationAuditLogFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<OrganizationAuditLogRow[]> {
    const narrowing = new Narrowing('organization_audit_logs.page', [orgId, limit + 1]);
    const conditions =
      narrowing.when('from', from, (parameter) => `occurred_at >= ${parameter}`) +
      narrowing.when('to', to, (parameter) => `occurred_at < ${parameter}`) +
      narrowing.behind(['occurred_at', 'id'], after);
    const page = narrowing.statement(
      `SELECT ${columns} FROM organization_audit_logs WHERE org_id = $1${conditions}
       ORDER BY occurred_at DESC, id DESC LIMIT $2`,
    );
    return this.database.query(page, narrowing.values);
  }
}
