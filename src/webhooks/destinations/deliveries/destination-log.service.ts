import { Inject, Injectable } from '@nestjs/common';
import { definitionOf, reasonText } from '../../../../libs/destinations/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import type {
  DeliveryFilter,
  IntegrationKey,
  LoggedDelivery,
} from '../../deliveries/log/delivery-log.repository.js';
import { DeliveryLogService, type DeliveryWithAttempts } from '../../deliveries/log/delivery-log.service.js';
import { DestinationsService } from '../integrations/destinations.service.js';
import { DestinationRequestsService, type MaskedRequest } from './destination-requests.service.js';

export interface DestinationDelivery {
  integration: DestinationIntegration;
  delivery: LoggedDelivery;
}

export interface DestinationDeliveryDetail extends DeliveryWithAttempts {
  integration: DestinationIntegration;
  requests: MaskedRequest[];
}

@Injectable()
export class DestinationLogService {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly destinations: DestinationsService,
    private readonly requests: DestinationRequestsService,
    private readonly queues: EndpointQueuesService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
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

  /** A delivery with its requests as of its last attempt. @throws ApiError 404 */
  async detail(key: IntegrationKey, id: string): Promise<DestinationDeliveryDetail> {
    const integration = await this.destinations.get(key.projectId, key.integrationId);
    const found = await this.log.find(key, id);
    if (!found) throw ApiError.missing('delivery', id);
    const content = { ...found.content, replay: found.delivery.replay };
    const atMs = found.attempts[0]?.attemptedAt.getTime() ?? this.clock.nowMs();
    const planned = await this.requests.planOf(integration, content, atMs);
    return { ...found, integration, requests: planned?.requests ?? [] };
  }

  /**
   * Sends a delivery again now. One that waits or was skipped is judged again; the others send the same bytes.
   * @throws ApiError 404; 422 while the destination is paused; 423 while the delivery is being sent; 409 if it is about
   * to be sent anyway, if the tool no longer takes the event, or if it would count the event twice
   */
  async retry(write: ProjectWrite, integrationId: string, id: string): Promise<DestinationDelivery> {
    const key = { projectId: write.projectId, integrationId };
    const present = await this.destinations.get(key.projectId, integrationId);
    const refusal = await this.refusalOf(key, present, id);
    return this.writes.run(write, async (tx) => {
      const integration = await this.destinations.lockEnabled(tx, key.projectId, integrationId);
      if (refusal !== null) throw new ApiError('conflict', refusal);
      await this.assertNotRepeated(tx, key, integration, id);
      const now = new Date(tx.nowMs());
      const delivery = await this.log.sendAgain(tx, key, id, now);
      if (!delivery) throw ApiError.missing('delivery', id);
      await this.queues.sendNow(tx, key.projectId, integrationId, now);
      const data = { delivery_id: id };
      await tx.audit({ action: 'delivery_retried', target: 'destination', targetId: integrationId, data });
      return { integration, delivery };
    });
  }

  /** Why the tool does not take the event any more; null if it may. @throws ApiError 404 */
  private async refusalOf(
    key: IntegrationKey,
    integration: DestinationIntegration,
    id: string,
  ): Promise<string | null> {
    const found = await this.log.find(key, id);
    if (!found) throw ApiError.missing('delivery', id);
    const content = { ...found.content, replay: found.delivery.replay };
    const planned = await this.requests.planOf(integration, content);
    if (!planned || !('skip' in planned.plan) || planned.plan.skip !== 'too_old') return null;
    return reasonText('too_old', { status: 'skipped', tool: definitionOf(integration.type) });
  }

  private async assertNotRepeated(
    tx: WriteTransaction,
    key: IntegrationKey,
    { type }: DestinationIntegration,
    id: string,
  ): Promise<void> {
    const { deduplicates, name } = definitionOf(type);
    if (deduplicates || !(await this.log.isDeliveredElsewhere(tx, key, id))) return;
    throw new ApiError(
      'conflict',
      `Another delivery brought the event to ${name}, which would count it twice.`,
    );
  }
}
