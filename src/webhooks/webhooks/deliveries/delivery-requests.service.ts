import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { DeliveryLogRepository, type LoggedDelivery } from './delivery-log.repository.js';
import { EndpointQueuesService } from '../circuits/endpoint-queues.service.js';
import { testEvent } from './test-event.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';

@Injectable()
export class DeliveryRequestsService {
  constructor(
    private readonly repository: DeliveryLogRepository,
    private readonly integrations: WebhookIntegrationsService,
    private readonly queues: EndpointQueuesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Sends a delivery again now, with the same body, whatever its status.
   * @throws ApiError 404; 422 while the integration is paused; 423 while the delivery is being sent; 409 if it is about
   * to be sent anyway
   */
  async retry(write: ProjectWrite, integrationId: string, id: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      await this.integrations.lockEnabled(tx, key);
      const delivery = await this.repository.lock(tx, key, id);
      if (!delivery) throw ApiError.missing('webhook delivery', id);
      const now = new Date(tx.nowMs());
      assertRetryable(delivery, now);
      const again = await this.repository.sendAgain(tx, key, delivery, now);
      await this.sent(tx, integrationId, now, 'delivery_retried', { delivery_id: id });
      return again;
    });
  }

  /** Ignores the integration's filters. @throws ApiError 404; 422 while the integration is paused */
  async sendTest(write: ProjectWrite, integrationId: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      const { appId } = await this.integrations.lockEnabled(tx, key);
      const nowMs = tx.nowMs();
      const now = new Date(nowMs);
      const event = testEvent(appId, nowMs);
      const id = newId('delivery', nowMs);
      const delivery = await this.repository.insertTest(tx, key, id, event, appId, now);
      await this.sent(tx, integrationId, now, 'tested', { delivery_id: id });
      return delivery;
    });
  }

  /** Allows a probe immediately, because the caller wants to know whether the endpoint works. */
  private async sent(
    tx: WriteTransaction,
    targetId: string,
    now: Date,
    action: AuditAction<'webhook_integration'>,
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.queues.sendNow(tx, tx.write.projectId, targetId, now);
    await tx.audit({ action, target: 'webhook_integration', targetId, data });
  }
}

function assertRetryable({ status, leaseUntil, isHeld, nextAttemptAt }: LoggedDelivery, now: Date): void {
  if (status !== 'pending') return;
  if (isHeld) {
    throw new ApiError('locked', 'The delivery is being sent right now.', { retryAfterS: 1 });
  }
  if (leaseUntil !== null || (nextAttemptAt !== null && nextAttemptAt <= now)) {
    throw new ApiError('conflict', 'The delivery is due and will be sent anyway.');
  }
}
