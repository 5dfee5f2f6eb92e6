import { Injectable } from '@nestjs/common';
import type {
  DeliveryFilter,
  IntegrationKey,
  LoggedDelivery,
} from '../../deliveries/log/delivery-log.repository.js';
import { DeliveryLogService } from '../../deliveries/log/delivery-log.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { WebhookIntegrationsService } from '../integrations/webhook-integrations.service.js';
import type { DeliveryDetail } from './webhook-delivery.presenter.js';

@Injectable()
export class WebhookLogService {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly integrations: WebhookIntegrationsService,
  ) {}

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the integration, 400 for a cursor of another list */
  async page(key: IntegrationKey, filter: DeliveryFilter, page: PageRequest): Promise<LoggedDelivery[]> {
    await this.integrations.get(key.projectId, key.integrationId);
    return this.log.page(key, filter, page);
  }

  /** @throws ApiError 404 */
  async detail(key: IntegrationKey, id: string): Promise<DeliveryDetail> {
    const integration = await this.integrations.get(key.projectId, key.integrationId);
    const found = await this.log.find(key, id);
    if (!found) throw ApiError.missing('webhook delivery', id);
    return { ...found, integration };
  }
}
