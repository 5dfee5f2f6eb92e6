import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../database/database.service.js';
import { Narrowing } from '../database/narrowing.js';
import { statement } from '../database/statement.js';
import type { Place } from '../http/lists/list-place.js';
import type { PageRequest } from '../http/lists/lists.js';
import type { AuditLogRow } from './audit-log.entity.js';

/** Null means no restriction. `to` is exclusive. */
export interface AuditLogFilter {
  from: Date | null;
  to: Date | null;
  actionType: string | null;
  targetIdentifier: string | null;
  /** The original app user id; includes changes of the customer's block. */
  customerId: string | null;
  actorIdentifier: string | null;
}

const insert = statement(
  'audit_logs.insert',
  `INSERT INTO audit_logs (project_id, id, occurred_at, action_type, target_type, target_identifier,
     actor_type, actor_identifier, additional_data)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const columns = `project_id AS "projectId", id, occurred_at AS "occurredAt", action_type AS "actionType",
  target_type AS "targetType", target_identifier AS "targetIdentifier", actor_type AS "actorType",
  actor_identifier AS "actorIdentifier", additional_data AS "additionalData"`;

const one = statement(
  'audit_logs.one',
  `SELECT ${columns} FROM audit_logs WHERE project_id = $1 AND id = $2`,
);

const last = statement(
  'audit_logs.last',
  `SELECT occurred_at AS "occurredAt" FROM audit_logs WHERE project_id = $1 AND action_type = $2
   ORDER BY occurred_at DESC, id DESC LIMIT 1`,
);

const order = ['occurred_at', 'id'];

function narrow(narrowing: Narrowing, filter: AuditLogFilter): string {
  const { from, to, actionType, targetIdentifier, customerId, actorIdentifier } = filter;
  return (
    narrowing.when('from', from, (parameter) => `occurred_at >= ${parameter}`) +
    narrowing.when('to', to, (parameter) => `occurred_at < ${parameter}`) +
    narrowing.when('action', actionType, (parameter) => `action_type = ${parameter}`) +
    narrowing.when('target', targetIdentifier, (parameter) => `target_identifier = ${parameter}`) +
    narrowing.when(
      'customer',
      customerId,
      (parameter) => `target_identifier = ${parameter} AND target_type IN ('customer', 'blocked_customer')`,
    ) +
    narrowing.when('actor', actorIdentifier, (parameter) => `actor_identifier = ${parameter}`)
  );
}

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

  async find(projectId: string, id: string): Promise<AuditLogRow | null> {
    const [row] = await this.database.forReading.query<AuditLogRow>(one, [projectId, id]);
    return row ?? null;
  }

  async last(projectId: string, actionType: string): Promise<Date | null> {
    const [row] = await this.database.query<Pick<AuditLogRow, 'occurredAt'>>(last, [projectId, actionType]);
    return row?.occurredAt ?? null;
  }

  page(
    projectId: string,
    filter: AuditLogFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<AuditLogRow[]> {
    const narrowing = new Narrowing('audit_logs.page', [projectId, limit + 1]);
    const conditions = narrow(narrowing, filter) + narrowing.behind(order, after);
    const page = narrowing.statement(
      `SELECT ${columns}
       FROM audit_logs WHERE project_id = $1${conditions} ORDER BY occurred_at DESC, id DESC LIMIT $2`,
    );
    return this.database.forReading.query(page, narrowing.values);
  }

  async placeOf(projectId: string, id: string, filter: AuditLogFilter): Promise<Place | null> {
    const narrowing = new Narrowing('audit_logs.find', [projectId, id]);
    const find = narrowing.statement(
      `SELECT occurred_at AS "occurredAt" FROM audit_logs
       WHERE project_id = $1 AND id = $2${narrow(narrowing, filter)}`,
    );
    const [row] = await this.database.forReading.query<Pick<AuditLogRow, 'occurredAt'>>(
      find,
      narrowing.values,
    );
    return row ? [row.occurredAt, id] : null;
  }
}
