import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { ClaimedDelivery } from '../../deliveries/deliveries.repository.js';
import { EventsService } from '../../events/events.service.js';
import { type CustomerReading, frozenCustomer, noCustomer, type StoredCustomer } from './frozen-customer.js';

type EventPlace = Pick<
  ClaimedDelivery,
  'projectId' | 'eventId' | 'recordedAt' | 'customerId' | 'otherCustomerId' | 'subscriptionId'
>;

export interface ReadCustomer {
  /** The customer's own id; null for an event without a customer. */
  customerId: string | null;
  customer: StoredCustomer;
}

/** Reads customers as destinations see them. */
@Injectable()
export class FrozenCustomersService {
  constructor(
    private readonly customers: CustomersService,
    private readonly events: EventsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The present customer of an event; null if the customer has been deleted. */
  async ofEvent(event: EventPlace, attributes: readonly string[]): Promise<ReadCustomer | null> {
    if (event.customerId === null) return { customerId: null, customer: noCustomer };
    const found = await this.find(event);
    if (found) return this.frozen(event, found, attributes);
    // The customer was merged into another one after the delivery was claimed.
    const current = await this.events.customersOf(event.projectId, event.recordedAt, event.eventId);
    const survivor = current && (await this.find({ ...event, ...current }));
    return survivor ? this.frozen(event, survivor, attributes) : null;
  }

  /** A customer without an event, for previews. */
  async ofCustomer(
    projectId: string,
    customer: CustomerRow,
    reading: CustomerReading,
  ): Promise<StoredCustomer> {
    const catalog = await this.catalogs.get(projectId);
    return frozenCustomer(customer, null, catalog, reading, this.clock.nowMs());
  }

  private async find({
    projectId,
    customerId,
    otherCustomerId,
  }: Pick<EventPlace, 'projectId' | 'customerId' | 'otherCustomerId'>): Promise<{
    customer: CustomerRow;
    other: CustomerRow | null;
  } | null> {
    const ids = [customerId, otherCustomerId].filter((id) => id !== null);
    const rows = await this.customers.findByIds(projectId, ids);
    const customer = rows.find(({ id }) => id === customerId);
    return customer ? { customer, other: rows.find(({ id }) => id === otherCustomerId) ?? null } : null;
  }

  private async frozen(
    { projectId, subscriptionId }: EventPlace,
    { customer, other }: { customer: CustomerRow; other: CustomerRow | null },
    attributes: readonly string[],
  ): Promise<ReadCustomer> {
    const catalog = await this.catalogs.get(projectId);
    const reading = { attributes, subscriptionId };
    const nowMs = this.clock.nowMs();
    return { customerId: customer.id, customer: frozenCustomer(customer, other, catalog, reading, nowMs) };
  }
}
