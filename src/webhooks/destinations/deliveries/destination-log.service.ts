import { Injectable } from '@nestjs/common';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import type {
  DeliveryFilter,
  IntegrationKey,
  LoggedDelivery,
} from '../../deliveries/log/delivery-log.repository.js';
import { DeliveryLogService } from '../../deliveries/log/delivery-log.service.js';
import { DestinationsService } from '../integrations/destinations.service.js';

@Injectable()
export class DestinationLogService {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly destinations: DestinationsService,
  ) {}

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for the destination, 400 for a cursor of another list */
  async page(
    key: IntegrationKey,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<{ integration: DestinationIntegration; deliveries: LoggedDelivery[] }> {
    const integration = await this.destinations.get(key.projectId, key.integrationId);
    return { integration, deliveries: await this.log.page(key, filter, page) };
  }
}
