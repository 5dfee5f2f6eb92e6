import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { placeByCreation, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import {
  type DeliveryFilter,
  DeliveryLogRepository,
  type IntegrationKey,
  type LoggedDelivery,
  type RecentEvent,
} from './delivery-log.repository.js';
import type { DeliveryDetail } from './webhook-delivery.presenter.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';

const SHOWN_ATTEMPTS = 10;

@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly repository: DeliveryLogRepository,
    private readonly integrations: WebhookIntegrationsService,
  ) {}

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the integration, 400 for a cursor of another list */
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

  /** Up to `limit + 1` events recorded since a time, oldest first. @throws ApiError 400 for a cursor of another list */
  async recentEvents(projectId: string, since: Date, page: PageRequest): Promise<RecentEvent[]> {
    const after = await startOf(page.after, ['time'], (id) =>
      this.repository.placeOfRecent(projectId, since, id),
    );
    return this.repository.recentEvents(projectId, since, page, after);
  }
}
