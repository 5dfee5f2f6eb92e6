import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { LoggedDelivery } from '../../deliveries/log/delivery-log.repository.js';
import { DeliveryLogService } from '../../deliveries/log/delivery-log.service.js';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import { testEvent } from '../../deliveries/log/test-event.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';

@Injectable()
export class DeliveryRequestsService {
  constructor(
    private readonly log: DeliveryLogService,
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
      const now = new Date(tx.nowMs());
      const again = await this.log.sendAgain(tx, key, id, now);
      if (!again) throw ApiError.missing('webhook delivery', id);
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
      const test = { id: newId('delivery', nowMs), event: testEvent(appId, nowMs), appId };
      const delivery = await this.log.insertTest(tx, key, test, now);
      await this.sent(tx, integrationId, now, 'tested', { delivery_id: test.id });
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
