import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { placeByCreation, startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { CircuitsRepository } from './circuits.repository.js';
import {
  type DeliveryFilter,
  DeliveryLogRepository,
  type IntegrationKey,
  type LoggedDelivery,
  type RecentEvent,
} from './delivery-log.repository.js';
import { testEvent } from './test-event.js';
import type { ReplayWebhookDto } from './webhook-delivery.dto.js';
import type { DeliveryDetail } from './webhook-delivery.presenter.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import type { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';

const SHOWN_ATTEMPTS = 10;
const MAX_REPLAY = 10_000;

/** What was sent to an integration, and sending it again. */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly repository: DeliveryLogRepository,
    private readonly integrations: WebhookIntegrationsService,
    private readonly circuits: CircuitsRepository,
    private readonly dispatcher: WebhookDispatcher,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * One more than a page, newest first.
   * @throws ApiError 404 without the integration, 400 for a cursor of another list
   */
  async page(key: IntegrationKey, filter: DeliveryFilter, page: PageRequest): Promise<LoggedDelivery[]> {
    await this.integrations.get(key.projectId, key.integrationId);
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(key, id);
      return found && placeByCreation(found);
    });
    return this.repository.page(key, filter, page, after);
  }

  /** @throws ApiError 404 */
  async detail(key: IntegrationKey, id: string): Promise<DeliveryDetail> {
    const integration = await this.integrations.get(key.projectId, key.integrationId);
    const [delivery, content, attempts] = await Promise.all([
      this.repository.find(key, id),
      this.repository.content(key, id),
      this.repository.attempts(key.projectId, id, SHOWN_ATTEMPTS),
    ]);
    if (!delivery || !content) throw ApiError.missing('webhook delivery', id);
    return { delivery, integration, content, attempts };
  }

  /**
   * Sends a delivery again at once, with the same body, whatever became of it.
   * @throws ApiError 404; 422 while the integration is paused; 423 while the delivery is being sent; 409 when it
   * is about to be sent anyway
   */
  async retry(write: ProjectWrite, integrationId: string, id: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.database.transaction(async (tx) => {
      await this.lockEnabled(tx, key);
      const delivery = await this.repository.lock(tx, key, id);
      if (!delivery) throw ApiError.missing('webhook delivery', id);
      const now = new Date(this.clock.nowMs());
      assertRetryable(delivery, now);
      const again = await this.repository.sendAgain(tx, key, id, now);
      await this.sent(tx, write, integrationId, now, 'delivery_retried', { delivery_id: id });
      return again;
    });
  }

  /**
   * Sends a `TEST` event to an integration, whatever its filters say.
   * @throws ApiError 404; 422 while the integration is paused
   */
  async sendTest(write: ProjectWrite, integrationId: string): Promise<LoggedDelivery> {
    const key = { projectId: write.projectId, integrationId };
    return this.database.transaction(async (tx) => {
      const { appId } = await this.lockEnabled(tx, key);
      const nowMs = this.clock.nowMs();
      const now = new Date(nowMs);
      const event = testEvent(appId, nowMs);
      const id = newId('delivery', nowMs);
      const delivery = await this.repository.insertTest(tx, key, id, event, appId, now);
      await this.sent(tx, write, integrationId, now, 'tested', { delivery_id: id });
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
    return this.database.transaction(async (tx) => {
      await this.lockEnabled(tx, key);
      const now = new Date(this.clock.nowMs());
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
      await this.sent(tx, write, integrationId, now, 'replayed', data);
      return queued;
    });
  }

  /**
   * One more than a page of the project's events as webhooks carry them, recorded since a moment, oldest first.
   * @throws ApiError 400 for a cursor of another list
   */
  async recentEvents(projectId: string, since: Date, page: PageRequest): Promise<RecentEvent[]> {
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeOfRecent(projectId, since, id),
    );
    return this.repository.recentEvents(projectId, since, page, after);
  }

  private async lockEnabled(tx: Transaction, key: IntegrationKey): Promise<WebhookIntegration> {
    const integration = await this.integrations.lock(tx, key.projectId, key.integrationId);
    if (!integration.enabled) throw new ApiError('impossible', 'The webhook integration is paused.');
    return integration;
  }

  /** Whoever asks for something to be sent wants to know whether the endpoint works: it gets a probe at once. */
  private async sent(
    tx: Transaction,
    write: ProjectWrite,
    targetId: string,
    now: Date,
    action: string,
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.circuits.probeNow(tx, write.projectId, targetId, now);
    await this.audit.record(tx, write, { action, target: 'webhook_integration', targetId, data });
    tx.afterCommit(() => this.dispatcher.wake());
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
