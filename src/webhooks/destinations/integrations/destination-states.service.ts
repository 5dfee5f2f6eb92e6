import { Injectable } from '@nestjs/common';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import type { EndpointState } from '../../deliveries/circuits/circuits.repository.js';
import type { IntegrationCounts } from '../../deliveries/integrations/delivery-health.repository.js';
import { DeliveryHealthService } from '../../deliveries/integrations/delivery-health.service.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';

/** Whether a destination gets its events. */
export interface DestinationState {
  integration: DestinationIntegration;
  endpoint: EndpointState;
  counts: IntegrationCounts;
}

const HEALTHY = { isOpen: false, quietUntil: null };
const NOTHING = { delivered: 0, failed: 0, skipped: 0, pending: 0, waiting: 0, hasRefusedKey: false };

@Injectable()
export class DestinationStatesService {
  constructor(
    private readonly queues: EndpointQueuesService,
    private readonly health: DeliveryHealthService,
  ) {}

  async of(projectId: string, integrations: DestinationIntegration[]): Promise<DestinationState[]> {
    const ids = integrations.map(({ id }) => id);
    const [endpoints, counts] = await Promise.all([
      this.queues.statesOf(projectId, ids),
      this.health.countsFor(projectId, ids),
    ]);
    return integrations.map((integration) => ({
      integration,
      endpoint: endpoints.get(integration.id) ?? HEALTHY,
      counts: counts.get(integration.id) ?? { id: integration.id, ...NOTHING },
    }));
  }
}
