import type { Subscription, EngineEvent, OneTimePurchase } from '../../../libs/engine/index.js';
import { newEventId } from '../../../libs/kernel/index.js';
import type { Catalog, CatalogEntitlement } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { currencyEventBody } from '../../webhooks/events/currency-event-body.js';
import { type EventHead, purchaseEventBody } from '../../webhooks/events/event-body.js';
import type { WebhookEvent } from '../../webhooks/events/webhook-event.js';
import type { ToUsd } from '../../platform/exchange-rates/exchange-rates.service.js';
import type { PurchaseOwner } from './change-rows.js';
import type { EventWrite } from './change-set.js';
import type { CurrencyEvent } from '../currencies/currency-moves.js';
import {
  oneTimeEntitlements,
  oneTimeState,
  unlockedByAll,
} from '../../customers/customers/customer-info/customer-purchases.js';
import type { SaleCommission } from './sale-commission.js';

export type EventPlace = Omit<
  EventWrite,
  'id' | 'createdAtMs' | 'sequence' | 'body' | 'customerId' | 'otherCustomerId'
>;

export interface EventSubject {
  purchase: Subscription | OneTimePurchase;
  subscriptionId: string | null;
  purchaseId: string | null;
  grantedEntitlementId: string | null;
  commission: SaleCommission;
}

export class ChangeEvents {
  readonly written: EventWrite[] = [];
  private readonly counts = new Map<CustomerRow, number>();

  constructor(
    private readonly catalog: Catalog,
    private readonly nowMs: number,
    private readonly toUsd: ToUsd,
  ) {}

  /** `body` receives the event's id, time and sequence number. */
  add(
    customer: CustomerRow,
    other: CustomerRow | null,
    place: EventPlace,
    body: (head: EventHead) => WebhookEvent,
  ): void {
    customer.eventSequence += 1;
    // Consumers sort by time, so it must increase with the sequence even if clocks differ or are set back.
    const afterLastMs = customer.lastEventAtMs === null ? 0 : customer.lastEventAtMs + 1;
    const atMs = Math.max(timeOf(customer, this.nowMs), afterLastMs);
    customer.lastEventAtMs = atMs;
    const earlier = this.counts.get(customer) ?? 0;
    this.counts.set(customer, earlier + 1);
    const head: EventHead = { id: newEventId(), createdAtMs: atMs, sequence: customer.eventSequence };
    this.written.push({
      ...place,
      ...head,
      // Real time rather than test clock time, because webhooks are delivered in real time.
      createdAtMs: this.nowMs + earlier,
      customerId: customer.id,
      otherCustomerId: other?.id ?? null,
      body: body(head),
    });
  }

  addOfPurchase(event: EngineEvent, subject: EventSubject, { customer, appId, seenAs }: PurchaseOwner): void {
    const { subscriptionId, purchaseId, commission } = subject;
    const { store, environment } = subject.purchase;
    const entitlementLookupKeys = this.unlockedBy(event, subject, appId).map(({ lookupKey }) => lookupKey);
    const place: EventPlace = {
      subscriptionId,
      purchaseId,
      appId,
      environment,
      type: event.type,
      dedupeKey: event.dedupeKey,
      occurredAtMs: event.occurredAtMs,
      delivery: event.delivery,
    };
    this.add(customer, null, place, (head) =>
      purchaseEventBody(
        head,
        event,
        customer,
        seenAs,
        {
          appId,
          store,
          environment,
          entitlementLookupKeys,
          commissionBps: commission(event.purchasedAtMs),
        },
        this.toUsd,
      ),
    );
  }

  private unlockedBy(
    event: EngineEvent,
    { purchase, grantedEntitlementId }: EventSubject,
    appId: string | null,
  ): readonly CatalogEntitlement[] {
    if (!('purchaseKey' in purchase)) {
      return unlockedByAll(this.catalog, { appId, grantedEntitlementId }, event.items ?? [event]);
    }
    const state = oneTimeState({ appId, facts: purchase.facts }, this.catalog);
    return oneTimeEntitlements(this.catalog, { purchase: { appId }, state });
  }

  addOfCurrency({ customer, seenAs, dedupeKey, event }: CurrencyEvent): void {
    const place: EventPlace = {
      type: 'VIRTUAL_CURRENCY_TRANSACTION',
      dedupeKey,
      occurredAtMs: timeOf(customer, this.nowMs),
      subscriptionId: null,
      purchaseId: null,
      appId: event.appId,
      environment: event.environment,
      delivery: 'send',
    };
    this.add(customer, null, place, (head) => currencyEventBody(head, customer, seenAs, event));
  }
}
