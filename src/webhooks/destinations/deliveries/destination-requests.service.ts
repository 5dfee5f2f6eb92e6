import { Inject, Injectable } from '@nestjs/common';
import {
  type Call,
  definitionOf,
  type Destination,
  maskerOf,
  type Plan,
  secretsOf,
} from '../../../../libs/destinations/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { LogService } from '../../../platform/observability/log.service.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import type { DeliveryContent } from '../../deliveries/log/delivery-log.repository.js';
import type { StoredCustomer } from '../sending/frozen-customer.js';
import { FrozenCustomersService } from '../sending/frozen-customers.service.js';
import { planOf } from '../sending/planned-delivery.js';
import { DestinationSettingsService } from '../settings/destination-settings.service.js';

/** A request without secrets. */
export interface MaskedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What a delivery sends, and why it sends nothing. */
export interface MaskedPlan {
  plan: Plan;
  requests: MaskedRequest[];
}

export interface PlannedContent extends DeliveryContent {
  replay: boolean;
}

/** Builds the requests of deliveries for people. */
@Injectable()
export class DestinationRequestsService {
  constructor(
    private readonly settings: DestinationSettingsService,
    private readonly customers: FrozenCustomersService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  /**
   * The plan of a delivery at a time, by the present settings and the customer of its first attempt. Null if it cannot
   * be built, or if the customer has been deleted.
   */
  async planOf(
    integration: DestinationIntegration,
    content: PlannedContent,
    nowMs = this.clock.nowMs(),
  ): Promise<MaskedPlan | null> {
    const destination = this.settings.open(integration);
    const { projectId, type } = integration;
    const customer = destination && (await this.customerOf(projectId, content, definitionOf(type).reads));
    if (!destination || !customer) return null;
    try {
      const { baseUrl } = this.config;
      return masked(
        destination,
        planOf(destination, { projectId, ...content }, customer, { baseUrl, nowMs }),
      );
    } catch (error) {
      const { eventId } = content;
      this.log.error({ err: error, projectId, eventId }, 'a request of a destination cannot be built');
      return null;
    }
  }

  private async customerOf(
    projectId: string,
    content: DeliveryContent,
    reads: readonly string[],
  ): Promise<StoredCustomer | null> {
    if (content.customerInfo !== null) return JSON.parse(content.customerInfo) as StoredCustomer;
    return (await this.customers.ofEvent({ projectId, ...content }, reads))?.customer ?? null;
  }
}

export function maskedRequest(destination: Destination, { method, url, headers, body }: Call): MaskedRequest {
  const secrets = secretsOf(definitionOf(destination.type).settings, destination.settings);
  const mask = maskerOf(secrets);
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [name, mask(value)]);
  return { method, url: mask(url), headers: Object.fromEntries(shown), body: mask(body) };
}

export function masked(destination: Destination, plan: Plan): MaskedPlan {
  const calls = 'send' in plan ? plan.send : [];
  return { plan, requests: calls.map((call) => maskedRequest(destination, call)) };
}
