import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Transaction } from '../database/database.service.js';
import { IdempotentRequestsService } from '../idempotency/idempotent-requests.service.js';
import { startOf } from '../http/list-place.js';
import type { PageRequest } from '../http/lists.js';
import type { AuditLogRow } from './audit-log.entity.js';
import { AuditLogsRepository, type TimeRange } from './audit-logs.repository.js';
import type { ProjectWrite } from './project-write.js';

export type AuditTarget =
  | 'project'
  | 'app'
  | 'product'
  | 'entitlement'
  | 'offering'
  | 'package'
  | 'api_key'
  | 'collaborator'
  | 'invite'
  | 'webhook_integration'
  | 'virtual_currency'
  | 'customer'
  | 'blocked_customer'
  | 'test_clock'
  | 'auth_settings'
  | 'auth_provider'
  | 'auth_identity'
  | 'purchase'
  | 'subscription';

export interface AuditEntry {
  /** Past tense, such as `created` or `products_attached`. */
  action: string;
  target: AuditTarget;
  targetId: string;
  /** Details such as `changed_fields`: names and ids, never secrets or bodies. */
  data?: Record<string, unknown>;
}

/** The audit log of a project: one row for each successful write, in the same transaction. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly repository: AuditLogsRepository,
    private readonly requests: IdempotentRequestsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Writes the audit row of a change in the change's transaction, and completes the request's idempotency claim.
   * @throws ApiError 423 if another attempt of the same request was faster
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

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, range: TimeRange, page: PageRequest): Promise<AuditLogRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, id, range));
    return this.repository.page(projectId, range, page, after);
  }
}
