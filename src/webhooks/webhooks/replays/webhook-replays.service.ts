import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { IntegrationKey } from '../../deliveries/log/delivery-log.repository.js';
import type { ReplayProgress } from '../../deliveries/replays/replays.repository.js';
import { ReplaysService } from '../../deliveries/replays/replays.service.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';
import type { ReplayWebhookDto } from './webhook-replay.dto.js';

@Injectable()
export class WebhookReplaysService {
  constructor(
    private readonly replays: ReplaysService,
    private readonly integrations: WebhookIntegrationsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Queues events of a time range for an integration.
   * @throws ApiError 404; 400 for an empty range; 422 while the integration is paused, and for more than 10,000 events
   */
  async request(write: ProjectWrite, integrationId: string, body: ReplayWebhookDto): Promise<ReplayProgress> {
    if (body.to <= body.from) throw ApiError.parameter('to', 'to must be later than from.');
    const { from, to, status: deliveries = 'failed', event_types: types } = body;
    const key = { projectId: write.projectId, integrationId };
    return this.writes.run(write, async (tx) => {
      await this.integrations.lockEnabled(tx, key);
      const progress = await this.replays.request(tx, key, {
        eventsFrom: new Date(from),
        eventsTo: new Date(to),
        eventTypes: (types ?? []).map((type) => type.toUpperCase()),
        deliveries,
      });
      const data = { from, to, deliveries, queued: progress.queued };
      await tx.audit({ action: 'replayed', target: 'webhook_integration', targetId: integrationId, data });
      return progress;
    });
  }

  /** @throws ApiError 404 */
  async get(key: IntegrationKey, id: string): Promise<ReplayProgress> {
    await this.integrations.get(key.projectId, key.integrationId);
    const replay = await this.replays.find(key, id);
    if (!replay) throw ApiError.missing('webhook replay', id);
    return replay;
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the integration, 400 for a cursor of another list */
  async page(key: IntegrationKey, page: PageRequest): Promise<ReplayProgress[]> {
    await this.integrations.get(key.projectId, key.integrationId);
    return this.replays.page(key, page);
  }
}
