import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import type { Place } from '../http/list-place.js';
import type { PageRequest } from '../http/lists.js';
import type { AuditLogRow } from './audit-log.entity.js';

/** Null: unbounded. `to` is exclusive. */
export interface TimeRange {
  from: Date | null;
  to: Date | null;
}

const insert = statement(
  'audit_logs.insert',
  `INSERT INTO audit_logs (project_id, id, occurred_at, action_type, target_type, target_identifier,
     actor_type, actor_identifier, additional_data)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const page = statement(
  'audit_logs.page',
  `SELECT project_id AS "projectId", id, occurred_at AS "occurredAt", action_type AS "actionType",
     target_type AS "targetType", target_identifier AS "targetIdentifier", actor_type AS "actorType",
     actor_identifier AS "actorIdentifier", additional_data AS "additionalData"
   FROM audit_logs
   WHERE project_id = $1
     AND ($2::timestamptz IS NULL OR occurred_at >= $2) AND ($3::timestamptz IS NULL OR occurred_at < $3)
     AND ($4::timestamptz IS NULL OR (occurred_at, id) < ($4, $5::text))
   ORDER BY occurred_at DESC, id DESC LIMIT $6`,
);

const find = statement(
  'audit_logs.find',
  `SELECT occurred_at AS "occurredAt" FROM audit_logs WHERE project_id = $1 AND id = $2
     AND ($3::timestamptz IS NULL OR occurred_at >= $3) AND ($4::timestamptz IS NULL OR occurred_at < $4)`,
);

@Injectable()
export class AuditLogsRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, row: AuditLogRow): Promise<void> {
    await tx.query(insert, [
      row.projectId,
      row.id,
      row.occurredAt,
      row.actionType,
      row.targetType,
      row.targetIdentifier,
      row.actorType,
      row.actorIdentifier,
      row.additionalData,
    ]);
  }

  page(
    projectId: string,
    { from, to }: TimeRange,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<AuditLogRow[]> {
    const values = [projectId, from, to, ...(after ?? [null, null]), limit + 1];
    return this.database.forReading.query(page, values);
  }

  async placeOf(projectId: string, id: string, { from, to }: TimeRange): Promise<Place | null> {
    const values = [projectId, id, from, to];
    const [row] = await this.database.forReading.query<Pick<AuditLogRow, 'occurredAt'>>(find, values);
    return row ? [row.occurredAt, id] : null;
  }
}
