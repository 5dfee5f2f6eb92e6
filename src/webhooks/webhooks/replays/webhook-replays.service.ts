import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type Place, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { IntegrationKey } from '../deliveries/delivery-log.repository.js';
import { EndpointQueuesService } from '../circuits/endpoint-queues.service.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';
import type { ReplayWebhookDto } from './webhook-replay.dto.js';
import { type ReplayProgress, WebhookReplaysRepository } from './webhook-replays.repository.js';

const MAX_REPLAY = 10_000;

export function placeOfReplay({ requestedAt, id }: Pick<ReplayProgress, 'requestedAt' | 'id'>): Place {
  return [requestedAt, id];
}

@Injectable()
export class WebhookReplaysService {
  constructor(
    private readonly repository: WebhookReplaysRepository,
    private readonly integrations: WebhookIntegrationsService,
    private readonly queues: EndpointQueuesService,
    private readonly config: Config,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Queues events of a time range for an integration. They are sent oldest first at a limited rate, marked as replays.
   * @throws ApiError 404; 400 for an empty range; 422 while the integration is paused, and for more than 10,000 events
   */
  async request(write: ProjectWrite, integrationId: string, body: ReplayWebhookDto): Promise<ReplayProgress> {
    if (body.to <= body.from) throw ApiError.parameter('to', 'to must be later than from.');
    const { from, to, status: deliveries = 'failed', event_types: types } = body;
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      await this.integrations.lockEnabled(tx, key);
      const nowMs = tx.nowMs();
      const replay = {
        id: newId('webhookReplay', nowMs),
        eventsFrom: new Date(from),
        eventsTo: new Date(to),
        eventTypes: (types ?? []).map((type) => type.toUpperCase()),
        deliveries,
        requestedAt: new Date(nowMs),
      };
      const pace = { limit: MAX_REPLAY + 1, perSecond: this.config.webhookReplayRate };
      const queued = await this.repository.insert(tx, key, replay, pace);
      if (queued > MAX_REPLAY) {
        throw new ApiError('impossible', 'The range holds more than 10,000 events; replay shorter ranges.');
      }
      await this.queues.sendNow(tx, key.projectId, integrationId, replay.requestedAt);
      const data = { from, to, deliveries, queued };
      await tx.audit({ action: 'replayed', target: 'webhook_integration', targetId: integrationId, data });
      const progress = { pending: queued, delivered: 0, failed: 0, lastAttemptEndedAt: null };
      return { ...replay, webhookIntegrationId: integrationId, queued, ...progress };
    });
  }

  /** @throws ApiError 404 */
  async get(key: IntegrationKey, id: string): Promise<ReplayProgress> {
    await this.integrations.get(key.projectId, key.integrationId);
    const replay = await this.repository.find(key, id);
    if (!replay) throw ApiError.missing('webhook replay', id);
    return replay;
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the integration, 400 for a cursor of another list */
  async page(key: IntegrationKey, page: PageRequest): Promise<ReplayProgress[]> {
    await this.integrations.get(key.projectId, key.integrationId);
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(key, id);
      return found && placeOfReplay(found);
    });
    return this.repository.page(key, page, after);
  }
}
