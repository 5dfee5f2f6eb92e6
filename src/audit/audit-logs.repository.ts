import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import type { Actor } from './project-write.js';

/** A row of the audit log. */
export interface AuditLogRow {
  projectId: string;
  id: string;
  occurredAt: Date;
  actionType: string;
  targetType: string;
  targetIdentifier: string;
  actorType: Actor['type'];
  actorIdentifier: string;
  additionalData: Record<string, unknown>;
}

/** Both ends may be open (null); `to` is exclusive. */
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
     AND ($4::text IS NULL OR (occurred_at, id) < (
       SELECT c.occurred_at, c.id FROM audit_logs c WHERE c.project_id = $1 AND c.id = $4))
   ORDER BY occurred_at DESC, id DESC LIMIT $5`,
);

const exists = statement(
  'audit_logs.exists',
  `SELECT 1 FROM audit_logs WHERE project_id = $1 AND id = $2
     AND ($3::timestamptz IS NULL OR occurred_at >= $3) AND ($4::timestamptz IS NULL OR occurred_at < $4)`,
);

@Injectable()
export class AuditLogsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

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

  /** One more than a page, newest first. */
  page(projectId: string, { from, to }: TimeRange, { after, limit }: PageRequest): Promise<AuditLogRow[]> {
    return this.database.forReading.query(page, [projectId, from, to, after, limit + 1]);
  }

  async exists(projectId: string, id: string, { from, to }: TimeRange): Promise<boolean> {
    return (await this.database.forReading.query(exists, [projectId, id, from, to])).length > 0;
  }
}
