import { Inject, Injectable } from '@nestjs/common';
import {
  definitionOf,
  type DestinationEvent,
  type Kind,
  planDelivery,
  sampleEvent,
} from '../../../../libs/destinations/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CustomersQueryService } from '../../../customers/customers/identity/customers-query.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import { EventsService } from '../../events/events.service.js';
import {
  DestinationRequestsService,
  type MaskedPlan,
  masked,
} from '../deliveries/destination-requests.service.js';
import { DestinationsService } from '../integrations/destinations.service.js';
import { noCustomer, type StoredCustomer } from '../sending/frozen-customer.js';
import { FrozenCustomersService } from '../sending/frozen-customers.service.js';
import { DestinationSettingsService } from '../settings/destination-settings.service.js';
import type { PreviewDestinationDto } from './destination-test.dto.js';

export interface Preview extends MaskedPlan {
  integration: DestinationIntegration;
}

/** Builds what a destination would send. Sends nothing and stores nothing. */
@Injectable()
export class DestinationPreviewsService {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly requests: DestinationRequestsService,
    private readonly settings: DestinationSettingsService,
    private readonly events: EventsService,
    private readonly customers: CustomersQueryService,
    private readonly frozen: FrozenCustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws ApiError 400 without exactly one of an event and a kind, 404 for an unknown event or customer, 422 if the
   * secrets do not open
   */
  async of(projectId: string, id: string, body: PreviewDestinationDto): Promise<Preview> {
    const { event_id: eventId, kind, app_user_id: appUserId } = body;
    const integration = await this.destinations.get(projectId, id);
    if ((eventId === undefined) === (kind === undefined))
      throw ApiError.parameter('event_id', 'Give either event_id or kind.');
    if (eventId !== undefined && appUserId !== undefined)
      throw ApiError.parameter(
        'app_user_id',
        'app_user_id belongs to a kind; an event has its own customer.',
      );
    const planned =
      eventId === undefined
        ? await this.ofKind(integration, kind as Kind, appUserId)
        : await this.ofEvent(integration, eventId);
    if (!planned) throw new ApiError('impossible', 'The request cannot be built: enter the keys again.');
    return { integration, ...planned };
  }

  private async ofEvent(integration: DestinationIntegration, eventId: string): Promise<MaskedPlan | null> {
    const content = await this.events.content(integration.projectId, eventId);
    if (!content) throw ApiError.missing('event', eventId, 'event_id');
    return this.requests.planOf(integration, { ...content, customerInfo: null, replay: false });
  }

  private async ofKind(
    integration: DestinationIntegration,
    kind: Kind,
    appUserId: string | undefined,
  ): Promise<MaskedPlan | null> {
    const { event, customer } = await this.sampleOf(integration, kind, appUserId);
    const destination = this.settings.open(integration);
    if (!destination) return null;
    const nowMs = this.clock.nowMs();
    const plan = planDelivery(destination, {
      event,
      occurredAtMs: nowMs,
      recordedAtMs: nowMs,
      customer,
      isOnTestClock: customer.isOnTestClock,
      isReplay: false,
      customerUrl: null,
      nowMs,
    });
    return masked(destination, plan);
  }

  private async sampleOf(
    { projectId, type }: DestinationIntegration,
    kind: Kind,
    appUserId: string | undefined,
  ): Promise<{ event: DestinationEvent; customer: StoredCustomer }> {
    if (appUserId === undefined) return { event: sampleEvent(kind), customer: noCustomer };
    const row = await this.customers.get(projectId, appUserId, 'app_user_id');
    const others = row.aliases.map((alias) => alias.appUserId).filter((id) => id !== appUserId);
    const reading = { attributes: definitionOf(type).reads, subscriptionId: null };
    return {
      event: sampleEvent(kind, [appUserId, ...others]),
      customer: await this.frozen.ofCustomer(projectId, row, reading),
    };
  }
}
