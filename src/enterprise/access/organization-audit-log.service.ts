import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { IdempotentRequestsService } from '../../platform/idempotency/idempotent-requests.service.js';
import type { OrganizationAuditEntry } from './organization-audit-actions.js';
import type { OrganizationAuditLogRow } from './organization-audit-log.entity.js';
import {
  type OrganizationAuditLogFilter,
  OrganizationAuditLogsRepository,
} from './organization-audit-logs.repository.js';
import type { OrganizationWrite } from './organization-write.js';

/** The audit log of an organization: one row for each successful write, in the same transaction. */
@Injectable()
export class OrganizationAuditLogService {
  constructor(
    private readonly repository: OrganizationAuditLogsRepository,
    private readonly requests: IdempotentRequestsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Also completes the request's idempotency claim. @throws ApiError 423 if another attempt completed first */
  async record(
    tx: Transaction,
    { orgId, actor, requestId, idempotencyClaim }: OrganizationWrite,
    { action, target, targetId, data = {} }: OrganizationAuditEntry,
  ): Promise<void> {
    if (idempotencyClaim) await this.requests.carryOut(tx, idempotencyClaim);
    const nowMs = this.clock.nowMs();
    await this.repository.insert(tx, {
      orgId,
      id: newId('auditLog', nowMs),
      occurredAt: new Date(nowMs),
      action,
      actorType: actor.type,
      actorId: actor.id,
      actorEmail: actor.email,
      targetType: target,
      targetId,
      data: requestId === null ? data : { ...data, request_id: requestId },
    });
  }

  /** Returns up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(
    orgId: string,
    filter: OrganizationAuditLogFilter,
    page: PageRequest,
  ): Promise<OrganizationAuditLogRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(orgId, id));
    return this.repository.page(orgId, filter, page, after);
  }
}
