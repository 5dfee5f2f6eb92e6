import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Transaction } from '../database/database.service.js';
import { IdempotentRequestsService } from '../idempotency/idempotent-requests.service.js';
import { ApiError } from '../http/errors/api-error.js';
import { startOf } from '../http/lists/list-place.js';
import type { PageRequest } from '../http/lists/lists.js';
import type { AuditAction, AuditTarget } from './audit-actions.js';
import type { AuditLogRow } from './audit-log.entity.js';
import { type AuditLogFilter, AuditLogsRepository } from './audit-logs.repository.js';
import type { ProjectWrite } from './project-write.js';

type EntryOf<Target extends AuditTarget> = {
  action: AuditAction<Target>;
  target: Target;
  targetId: string;
  /** Details such as `auditChanges` and ids; never secrets or bodies. */
  data?: Record<string, unknown>;
};

export type AuditEntry = { [Target in AuditTarget]: EntryOf<Target> }[AuditTarget];

/** The audit log of a project: one row for each successful write, written in the same transaction. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly repository: AuditLogsRepository,
    private readonly requests: IdempotentRequestsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Writes the audit row of a change in the change's transaction, and completes the request's idempotency claim.
   * @throws ApiError 423 if another attempt of the same request has completed first
   */
  async record(
    tx: Transaction,
    { projectId, actor, request, idempotencyClaim }: ProjectWrite,
    { action, target, targetId, data = {} }: AuditEntry,
  ): Promise<void> {
    if (idempotencyClaim) await this.requests.carryOut(tx, idempotencyClaim);
    const nowMs = this.clock.nowMs();
    await this.repository.insert(tx, {
      projectId,
      id: newId('auditLog', nowMs),
      occurredAt: new Date(nowMs),
      actionType: `${target}_${action}`,
      targetType: target,
      targetIdentifier: targetId,
      actorType: actor.type,
      actorIdentifier: actor.identifier,
      additionalData: { ...request, ...data },
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<AuditLogRow> {
    const row = await this.repository.find(projectId, id);
    if (!row) throw ApiError.missing('audit log entry', id);
    return row;
  }

  /** Returns when this action last happened (epoch ms), or null. */
  async lastAtMs(projectId: string, actionType: string): Promise<number | null> {
    return (await this.repository.last(projectId, actionType))?.getTime() ?? null;
  }

  /** Returns up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: AuditLogFilter, page: PageRequest): Promise<AuditLogRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, id, filter));
    return this.repository.page(projectId, filter, page, after);
  }
}
