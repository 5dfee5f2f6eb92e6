import {
  type Subscription,
  type SubscriptionChange,
  subscriptionReturns,
  foldSubscriptions,
  type SubscriptionState,
  type Circumstances,
  type Environment,
  type LedgerEntry,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OneTimeChange,
  oneTimeReturns,
} from '../../../libs/engine/index.js';
import {
  type AttributeInput,
  type AttributeWriter,
  mergeAttributes,
} from '../../customers/customers/identity/attribute-merge.js';
import type { ArrivedAttribute } from '../../webhooks/deliveries/deliveries.repository.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { prepareSnapshot } from '../../customers/customers/customer-info/customer-info.js';
import {
  type CustomerRow,
  type SubscriptionRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import type { PreparedSnapshot } from '../../customers/customers/customer-info/snapshots.repository.js';
import type { EventHead } from '../../webhooks/events/event-body.js';
import type { WebhookEvent } from '../../webhooks/events/webhook-event.js';
import type { ToUsd } from '../../platform/exchange-rates/exchange-rates.service.js';
import type { UnknownValue, VerifiedPurchase } from '../../../libs/stores/index.js';
import type { NewCancellation } from '../play-cancellations/new-cancellation.js';
import type { NewStoreTask } from '../store-tasks/store-task.js';
import { isOutside, type OutsidePurchase } from './outside-purchase.js';
import { ChangeEvents, type EventPlace } from './change-events.js';
import {
  subscriptionRowOf,
  subscriptionWriteOf,
  oneTimeRowOf,
  oneTimeWriteOf,
  type PurchaseOwner,
  withRow,
} from './change-rows.js';
import type { SubscriptionWrite, ChangeSet, FoldedSubscription, OneTimeWrite } from './change-set.js';
import { type CurrencyEvent, CurrencyMoves, type CurrencyRevocations } from '../currencies/currency-moves.js';
import { subscriptionOf, oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { type LedgerOwner, ledgerWrite } from './ledger.js';
import { oneTimeCommission, type SaleCommission, subscriptionCommission } from './sale-commission.js';
import { reportInRealTime } from './test-store-reports.js';

type Acknowledgement = Pick<NewStoreTask, 'appId' | 'key'> & {
  detail: NonNullable<VerifiedPurchase['acknowledge']>;
};

export interface UnknownValueOfApp {
  appId: string;
  value: UnknownValue;
}

/** An update of a customer's `last_seen`. */
export interface LastSeenUpdate {
  customerId: string;
  /** The previous value. */
  lastSeenAtMs: number | null;
}

export interface FinishedChange {
  changes: ChangeSet;
  /** Prepared answers by customer id, one for each affected customer. */
  snapshots: Map<string, PreparedSnapshot>;
  lastSeenUpdates: LastSeenUpdate[];
  /** The stores of new purchases whose product is missing in the catalog. */
  unknownProducts: string[];
}

export interface ChangeContext {
  catalog: Catalog;
  nowMs: number;
  toUsd: ToUsd;
  /** Returns since when, at `nowMs`, the server has received store notifications without a gap. */
  listeningSinceMs: (nowMs: number) => number;
  /** If false, each customer's SDK answer is prepared on their next read. */
  preparesAnswers: boolean;
}

/** Collects everything that one change writes. Updates the given customer rows in place. */
export class ChangeBuilder {
  private readonly changes: ChangeSet = {
    customers: [],
    attributes: [],
    forgottenAttributes: [],
    subscriptions: [],
    oneTime: [],
    ledger: [],
    events: [],
    snapshots: [],
    revalued: [],
  };
  /** By id: if a purchase changes several times, only its last state is written. */
  private readonly subscriptions = new Map<string, SubscriptionWrite>();
  private readonly oneTime = new Map<string, OneTimeWrite>();
  private readonly touched = new Set<CustomerRow>();
  private readonly events: ChangeEvents;

  readonly currencies: CurrencyMoves;
  readonly storeTasks: NewStoreTask[] = [];
  /** Purchases outside an app store, whether or not anything about them changed. */
  readonly outside: OutsidePurchase[] = [];
  /** Subscriptions merged into others, in order. */
  readonly folded: FoldedSubscription[] = [];
  readonly cancellations: NewCancellation[] = [];
  private readonly unknownProducts: string[] = [];
  readonly unknownValues: UnknownValueOfApp[] = [];
  /** Attributes that get a new value. */
  readonly arrivedAttributes: ArrivedAttribute[] = [];

  private readonly catalog: Catalog;
  private readonly nowMs: number;
  private readonly toUsd: ToUsd;

  constructor(private readonly context: ChangeContext) {
    const { catalog, nowMs, toUsd } = context;
    this.catalog = catalog;
    this.nowMs = nowMs;
    this.toUsd = toUsd;
    this.currencies = new CurrencyMoves(catalog, nowMs);
    this.events = new ChangeEvents(catalog, nowMs, toUsd);
  }

  /** The facts about an app's subscriptions that do not come from the store. */
  circumstances(appId: string | null, nowMs: number): Circumstances {
    return {
      storeCanBeAsked: this.catalog.storeCanBeAsked(appId),
      listeningSinceMs: this.context.listeningSinceMs(nowMs),
    };
  }

  /** Marks a customer whose answer changes without a purchase of their own, for example after a transfer. */
  touch(customer: CustomerRow): void {
    this.touched.add(customer);
  }

  /** Acknowledges a purchase to its store. Excludes consumables, which the app acknowledges by consuming them. */
  acknowledge({ appId, key, detail }: Acknowledgement): void {
    const isConsumable = this.catalog.productOf(appId, detail.productId)?.type === 'consumable';
    if (detail.kind === 'product' && isConsumable) return;
    const now = new Date(this.nowMs);
    this.storeTasks.push({ kind: 'acknowledge_purchase', appId, key, detail, markAt: now, dueAt: now });
  }

  /** Asks the store once about the unknown subscription that a new one continues. */
  readPrevious({ appId, environment, key }: { appId: string; environment: Environment; key: string }): void {
    const dueAt = new Date(this.nowMs);
    const kind = 'read_previous_subscription';
    this.storeTasks.push({ kind, appId, key, detail: { environment }, markAt: null, dueAt });
  }

  /** Counts a value of a store once the change is saved. */
  recordUnknown(appId: string, value: UnknownValue): void {
    this.unknownValues.push({ appId, value });
  }

  /** Customers on a test clock are excluded: their time is not that of any store. */
  addOutside(purchase: OutsidePurchase, { testClockId }: CustomerRow): void {
    if (testClockId === null && isOutside(purchase)) this.outside.push(purchase);
  }

  addCancellation(cancellation: NewCancellation | null): void {
    if (cancellation) this.cancellations.push(cancellation);
  }

  /** Returns the names rejected because the customer has too many attributes. */
  mergeAttributes(customer: CustomerRow, inputs: AttributeInput[], writer: AttributeWriter): string[] {
    const { rows, changed, forgotten, tooMany } = mergeAttributes(customer.attributes, inputs, writer);
    const customerId = customer.id;
    if (changed.length > 0 || forgotten.length > 0) {
      const before = new Map(customer.attributes.map(({ name, value }) => [name, value]));
      const arrived = changed.filter(({ name, value }) => value !== null && value !== before.get(name));
      this.arrivedAttributes.push(...arrived.map(({ name }) => ({ customerId, name })));
      customer.attributes = rows;
      this.changes.attributes.push(...changed.map((row) => ({ ...row, customerId })));
      this.changes.forgottenAttributes.push(...forgotten.map((name) => ({ customerId, name })));
      this.touched.add(customer);
    }
    return tooMany;
  }

  addSubscription(change: SubscriptionChange, reported: PurchaseOwner): void {
    const { subscription, state, ledger, sales, events } = change;
    const { customer } = reported;
    const known = customer.subscriptions.find(({ id }) => id === subscription.id);
    const row = subscriptionRowOf(change, known, reported);
    // Another app may report the purchase, but its products belong to the app that sold it.
    const { appId } = row;
    const owner = { ...reported, appId };
    customer.subscriptions = withRow(customer.subscriptions, row);
    if (!known || known.facts !== subscription.facts) this.changes.revalued.push(subscription.id);
    if (!known) this.checkProduct(appId, subscription.store, state);
    // Subscriptions on a test clock become due when the clock is advanced.
    const nextDueAtMs = customer.testClockId === null ? this.nextDue(subscription, row.appId, state) : null;
    this.subscriptions.set(subscription.id, subscriptionWriteOf(row, change, nextDueAtMs));
    const { store, environment } = subscription;
    const money = {
      customerId: customer.id,
      subscriptionId: subscription.id,
      purchaseId: null,
      appId,
      store,
      environment,
    };
    const place = { ...money, ownerKey: subscription.storeKey };
    const agreement = this.catalog.commissionAgreement(row.appId);
    const commission = subscriptionCommission(store, subscription.facts, agreement);
    this.addMoney(ledger, place, commission);
    this.addSales(sales, place, owner);
    const before = known ? subscriptionOf(known).facts : noSubscriptionFacts;
    this.currencies.addReturns(subscriptionReturns(before, subscription.facts), place, owner);
    const subject = {
      purchase: subscription,
      subscriptionId: subscription.id,
      purchaseId: null,
      grantedEntitlementId: row.grantedEntitlementId,
      commission,
    };
    for (const event of events) this.events.addOfPurchase(event, subject, owner);
    this.touched.add(customer);
  }

  /** Merges two subscriptions of one customer into the older one, with the other's id as an alias. Returns its row. */
  fold(rows: [SubscriptionRow, SubscriptionRow], storeKey: string, owner: PurchaseOwner): SubscriptionRow {
    const [kept, joined] = rows[0].id < rows[1].id ? rows : [rows[1], rows[0]];
    const { customer } = owner;
    const nowMs = timeOf(customer, this.nowMs);
    const circumstances = this.circumstances(kept.appId, nowMs);
    const subscription = { ...subscriptionOf(kept), storeKey };
    const folded = foldSubscriptions(subscription, subscriptionOf(joined), nowMs, circumstances);
    customer.subscriptions = customer.subscriptions.filter(({ id }) => id !== joined.id);
    this.subscriptions.delete(joined.id);
    this.folded.push({ id: kept.id, aliasId: joined.id });
    this.addSubscription(folded, owner);
    return customer.subscriptions.find(({ id }) => id === kept.id) as SubscriptionRow;
  }

  private checkProduct(
    appId: string | null,
    store: string,
    { storeProductId, planId = null }: { storeProductId: string | null; planId?: string | null },
  ): void {
    if (store === 'promotional' || this.catalog.productOf(appId, storeProductId, planId)) return;
    this.unknownProducts.push(store);
  }

  addOneTime(change: OneTimeChange, reported: PurchaseOwner): void {
    const { purchase, ledger, sales = ledger, events } = change;
    const { customer } = reported;
    const known = customer.purchases.find(({ id }) => id === purchase.id);
    const row = oneTimeRowOf(change, known, reported);
    const { appId } = row;
    const owner = { ...reported, appId };
    customer.purchases = withRow(customer.purchases, row);
    this.changes.revalued.push(purchase.id);
    if (!known) this.checkProduct(appId, purchase.store, change.state);
    this.oneTime.set(purchase.id, oneTimeWriteOf(row, change));
    const { store, environment } = purchase;
    const money = {
      customerId: customer.id,
      subscriptionId: null,
      purchaseId: purchase.id,
      appId,
      store,
      environment,
    };
    const place = { ...money, ownerKey: purchase.purchaseKey };
    const agreement = this.catalog.commissionAgreement(row.appId);
    const commission = oneTimeCommission(store, purchase.facts, agreement);
    this.addMoney(ledger, place, commission);
    this.addSales(sales, place, owner);
    const before = known ? oneTimeOf(known).facts : noOneTimeFacts;
    const returns = oneTimeReturns(purchase.purchaseKey, before, purchase.facts);
    this.currencies.addReturns(returns, place, owner);
    const subject = {
      purchase,
      subscriptionId: null,
      purchaseId: purchase.id,
      grantedEntitlementId: null,
      commission,
    };
    for (const event of events) this.events.addOfPurchase(event, subject, owner);
    this.touched.add(customer);
  }

  /** Emits the credits so far at the customers' current time. Call before time advances within a change. */
  emitCredits(): void {
    this.addCurrencyEvents(this.currencies.creditEvents());
  }

  /** Adds an event. `body` receives its id, time and sequence number. */
  addEvent(
    customer: CustomerRow,
    other: CustomerRow | null,
    place: EventPlace,
    body: (head: EventHead) => WebhookEvent,
  ): void {
    this.events.add(customer, other, place, body);
    this.touched.add(customer);
  }

  get isEmpty(): boolean {
    return this.touched.size === 0;
  }

  /** All customers in the change; each is locked. */
  get customers(): CustomerRow[] {
    return [...this.touched];
  }

  finish(
    seenAtMs: number,
    seenCustomerIds: ReadonlySet<string>,
    { revoked, otherHolders }: CurrencyRevocations = { revoked: [], otherHolders: [] },
  ): FinishedChange {
    this.emitCredits();
    this.addCurrencyEvents(this.currencies.returnEvents(revoked, [...this.touched, ...otherHolders]));
    const lastSeenUpdates: LastSeenUpdate[] = [];
    const snapshots = new Map<string, PreparedSnapshot>();
    for (const customer of this.touched) {
      customer.version += 1;
      if (seenCustomerIds.has(customer.id)) {
        lastSeenUpdates.push({ customerId: customer.id, lastSeenAtMs: customer.lastSeenAtMs });
        customer.lastSeenAtMs = seenAtMs;
      }
      if (this.context.preparesAnswers) {
        snapshots.set(customer.id, prepareSnapshot(customer, this.catalog, timeOf(customer, this.nowMs)));
      }
      const { id, originalAppUserId, version, eventSequence, lastEventAtMs } = customer;
      const { firstSeenAtMs, lastSeenAtMs } = customer;
      this.changes.customers.push({
        id,
        originalAppUserId,
        version,
        eventSequence,
        lastEventAtMs,
        firstSeenAtMs,
        lastSeenAtMs,
      });
    }
    this.changes.subscriptions = [...this.subscriptions.values()];
    this.changes.oneTime = [...this.oneTime.values()];
    this.changes.events = this.events.written;
    this.changes.snapshots = [...snapshots.values()];
    return { changes: this.changes, snapshots, lastSeenUpdates, unknownProducts: this.unknownProducts };
  }

  /** Currency events follow all purchase events. */
  private addCurrencyEvents(events: CurrencyEvent[]): void {
    for (const event of events) {
      this.events.addOfCurrency(event);
      this.touched.add(event.customer);
    }
  }

  /** The time of the next scheduled transition or Test Store renewal. */
  private nextDue(
    subscription: Subscription,
    appId: string | null,
    { nextDueAtMs }: SubscriptionState,
  ): number | null {
    const report = reportInRealTime({ ...subscription, appId }, this.catalog);
    if (report === null || nextDueAtMs === null) return report?.atMs ?? nextDueAtMs;
    return Math.min(report.atMs, nextDueAtMs);
  }

  private addMoney(entries: LedgerEntry[], place: LedgerOwner, commission: SaleCommission): void {
    for (const entry of entries) {
      this.changes.ledger.push(ledgerWrite(entry, place, this.nowMs, this.toUsd, commission));
    }
  }

  private addSales(entries: LedgerEntry[], place: LedgerOwner, owner: PurchaseOwner): void {
    for (const entry of entries) this.currencies.addSale(entry, place, owner);
  }
}
