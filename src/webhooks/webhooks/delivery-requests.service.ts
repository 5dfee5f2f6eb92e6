import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import {
  DeliveryLogRepository,
  type IntegrationKey,
  type LoggedDelivery,
} from './delivery-log.repository.js';
import { EndpointQueuesService } from './endpoint-queues.service.js';
import { testEvent } from './test-event.js';
import type { ReplayWebhookDto } from './webhook-delivery.dto.js';
import type { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';

const MAX_REPLAY = 10_000;

@Injectable()
export class DeliveryRequestsService {
  constructor(
    private readonly repository: DeliveryLogRepository,
    private readonly integrations: WebhookIntegrationsService,
    private readonly queues: EndpointQueuesService,
    private readonly config: Config,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Sends a delivery again at once, with the same body, whatever became of it.
   * @throws ApiError 404; 422 while the integration is paused; 423 while the delivery is being sent; 409 when it
   * is about to be sent anyway
   */
  async retry(write: ProjectWrite, integrationId: string, id: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      await this.lockEnabled(tx, key);
      const delivery = await this.repository.lock(tx, key, id);
      if (!delivery) throw ApiError.missing('webhook delivery', id);
      const now = new Date(tx.nowMs());
      assertRetryable(delivery, now);
      const again = await this.repository.sendAgain(tx, key, id, now);
      await this.sent(tx, integrationId, now, 'delivery_retried', { delivery_id: id });
      return again;
    });
  }

  /** Ignores the integration's filters. @throws ApiError 404; 422 while the integration is paused */
  async sendTest(write: ProjectWrite, integrationId: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      const { appId } = await this.lockEnabled(tx, key);
      const nowMs = tx.nowMs();
      const now = new Date(nowMs);
      const event = testEvent(appId, nowMs);
      const id = newId('delivery', nowMs);
      const delivery = await this.repository.insertTest(tx, key, id, event, appId, now);
      await this.sent(tx, integrationId, now, 'tested', { delivery_id: id });
      return delivery;
    });
  }

  /**
   * Queues events of a time range for an integration; gives how many. They are sent oldest first at a bounded
   * rate, marked as replays.
   * @throws ApiError 404; 400 for an empty range; 422 while the integration is paused, and for more than 10,000
   * events
   */
  async replay(write: ProjectWrite, integrationId: string, body: ReplayWebhookDto): Promise<number> {
    if (body.to <= body.from) throw ApiError.parameter('to', 'to must be later than from.');
    const { status = 'failed', event_types: types } = body;
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      await this.lockEnabled(tx, key);
      const now = new Date(tx.nowMs());
      const queued = await this.repository.replay(tx, key, {
        status,
        from: new Date(body.from),
        to: new Date(body.to),
        eventTypes: (types ?? []).map((type) => type.toUpperCase()),
        limit: MAX_REPLAY + 1,
        now,
        perSecond: this.config.webhookReplayRate,
      });
      if (queued > MAX_REPLAY) {
        throw new ApiError('impossible', 'The range holds more than 10,000 events; replay shorter ranges.');
      }
      const data = { from: body.from, to: body.to, deliveries: status, queued };
      await this.sent(tx, integrationId, now, 'replayed', data);
      return queued;
    });
  }

  private async lockEnabled(tx: Transaction, key: IntegrationKey): Promise<WebhookIntegration> {
    const integration = await this.integrations.lock(tx, key.projectId, key.integrationId);
    if (!integration.enabled) throw new ApiError('impossible', 'The webhook integration is paused.');
    return integration;
  }

  /** The caller wants to know whether the endpoint works: it gets a probe at once. */
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
