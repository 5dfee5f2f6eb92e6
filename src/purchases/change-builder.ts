import {
  type Chain,
  type ChainChange,
  chainReturns,
  type ChainState,
  type EngineEvent,
  type Environment,
  type LedgerEntry,
  noChainFacts,
  noOneTimeFacts,
  type OneTimeChange,
  type OneTimePurchase,
  oneTimeReturns,
  type Store,
} from '../../libs/engine/index.js';
import { type AttributeInput, type AttributeWriter, mergeAttributes } from '../attributes/attribute-merge.js';
import { newEventId } from '../../libs/kernel/index.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { prepareSnapshot } from '../customers/customer-info.js';
import { type ChainRow, type CustomerRow, type OneTimeRow, timeOf } from '../customers/customer-state.js';
import type { PreparedSnapshot } from '../customers/snapshots.repository.js';
import type { TakenBack } from '../currencies/currency-returns.js';
import { currencyEventBody } from '../events/currency-event-body.js';
import { type EventHead, purchaseEventBody } from '../events/event-body.js';
import type { ToUsd } from '../exchange-rates/exchange-rates.js';
import type { VerifiedPurchase } from '../../libs/stores/index.js';
import type { NewChore } from '../store-chores/store-chore.js';
import type { ChainWrite, ChangeSet, EventWrite } from './change-set.js';
import { type CurrencyEvent, CurrencyMoves } from './currency-moves.js';
import { chainOf, oneTimeOf, unlockedByAll } from './customer-purchases.js';
import { type LedgerOwner, ledgerWrite } from './ledger.js';
import { oneTimeCommission, type SaleCommission, subscriptionCommission } from './sale-commission.js';
import { wordInRealTime } from './test-store-words.js';

/** Who a purchase belongs to and which app it was made in. */
export interface PurchaseOwner {
  customer: CustomerRow;
  appId: string | null;
  /** The app user id of the request that brought the purchase. */
  seenAs: string;
  /** Of a new grant: what it unlocks. */
  grantedEntitlementId?: string;
}

type EventPlace = Omit<
  EventWrite,
  'id' | 'createdAtMs' | 'sequence' | 'body' | 'customerId' | 'otherCustomerId'
>;

/** A purchase of an app that its store is to be told of. */
type Acknowledgement = Pick<NewChore, 'appId' | 'key'> & {
  detail: NonNullable<VerifiedPurchase['acknowledge']>;
};

/** A customer who is seen by the change. */
export interface Sighting {
  customerId: string;
  /** The time before. */
  lastSeenAtMs: number | null;
}

/** Events of a customer in one change: all of them, and those of the moment of the last one. */
interface EventCount {
  all: number;
  atMs: number;
  then: number;
}

export interface FinishedChange {
  changes: ChangeSet;
  /** The prepared answer of each touched customer by customer id. */
  snapshots: Map<string, PreparedSnapshot>;
  sightings: Sighting[];
}

/** Ids by which somebody may name a chain: its payments, and what Google calls the purchase. */
function namesOf({ store, chainKey }: Chain, { storeIdentifiers }: ChainState): string[] {
  return store === 'play_store' ? [...new Set([...storeIdentifiers, chainKey])] : storeIdentifiers;
}

/** Row of a purchase, keeping who owned it first. */
function ownership(row: ChainRow | OneTimeRow | undefined, customer: CustomerRow) {
  return {
    customerId: customer.id,
    originalCustomerId: row?.originalCustomerId ?? customer.id,
    originalCustomerAppUserId: row?.originalCustomerAppUserId ?? customer.originalAppUserId,
  };
}

/**
 * Collects everything that one change writes: new states, money, events with the customers' next sequence
 * numbers, and the customers' prepared answers. The given customer rows are brought up to date on the way.
 */
export class ChangeBuilder {
  private readonly changes: ChangeSet = {
    customers: [],
    attributes: [],
    forgottenAttributes: [],
    chains: [],
    oneTime: [],
    ledger: [],
    events: [],
    snapshots: [],
    revalued: [],
  };
  /** By id: the last state of a chain that changes several times is the one to be written. */
  private readonly chains = new Map<string, ChainWrite>();
  private readonly touched = new Set<CustomerRow>();
  private readonly eventCounts = new Map<CustomerRow, EventCount>();

  /** What purchases credit and refunds take back. */
  readonly currencies: CurrencyMoves;
  /** Purchases that their store is to be told of. */
  readonly acknowledgements: NewChore[] = [];

  constructor(
    readonly catalog: Catalog,
    private readonly nowMs: number,
    private readonly toUsd: ToUsd,
  ) {
    this.currencies = new CurrencyMoves(catalog, nowMs);
  }

  /** A customer whose answer changes without a purchase of its own (after a move). */
  touch(customer: CustomerRow): void {
    this.touched.add(customer);
  }

  /** Has the store told that a purchase was recorded, but for consumables: apps tell by consuming them. */
  acknowledge({ appId, key, detail }: Acknowledgement): void {
    const isConsumable = this.catalog.productOf(appId, detail.productId)?.type === 'consumable';
    if (detail.kind === 'product' && isConsumable) return;
    const now = new Date(this.nowMs);
    this.acknowledgements.push({ kind: 'acknowledge_purchase', appId, key, detail, markAt: now, dueAt: now });
  }

  /** Takes writes of attributes in; gives the names refused because the customer has too many. */
  mergeAttributes(customer: CustomerRow, inputs: AttributeInput[], writer: AttributeWriter): string[] {
    const { rows, changed, forgotten, tooMany } = mergeAttributes(customer.attributes, inputs, writer);
    const customerId = customer.id;
    if (changed.length > 0 || forgotten.length > 0) {
      customer.attributes = rows;
      this.changes.attributes.push(...changed.map((row) => ({ ...row, customerId })));
      this.changes.forgottenAttributes.push(...forgotten.map((name) => ({ customerId, name })));
      this.touched.add(customer);
    }
    return tooMany;
  }

  addChain({ chain, state, ledger, sales, events }: ChainChange, owner: PurchaseOwner): void {
    const { customer, appId } = owner;
    const known = customer.chains.find(({ id }) => id === chain.id);
    const row: ChainRow = {
      ...chain,
      ...ownership(known, customer),
      appId: known?.appId ?? appId,
      grantedEntitlementId: known?.grantedEntitlementId ?? owner.grantedEntitlementId ?? null,
    };
    customer.chains = [...customer.chains.filter(({ id }) => id !== chain.id), row].sort(byFacts);
    if (!known || known.facts !== chain.facts) this.changes.revalued.push(chain.id);
    this.chains.set(chain.id, {
      ...row,
      storeProductId: state.storeProductId,
      storeIdentifiers: namesOf(chain, state),
      startedAtMs: state.startedAtMs,
      accessEndsAtMs: state.accessEndsAtMs,
      status: state.status,
      // The clock tells who lives by one when the time has come.
      nextDueAtMs: customer.testClockId === null ? this.nextDue(chain, row.appId, state) : null,
    });
    const { store, environment } = chain;
    const money = {
      customerId: customer.id,
      subscriptionId: chain.id,
      purchaseId: null,
      appId,
      store,
      environment,
    };
    const place = { ...money, ownerKey: chain.chainKey };
    const commission = subscriptionCommission(store, chain.facts);
    this.addMoney(ledger, place, commission);
    this.addSales(sales, place, owner);
    const before = known ? chainOf(known).facts : noChainFacts;
    this.currencies.addReturns(chainReturns(before, chain.facts), place, owner);
    for (const event of events)
      this.addPurchaseEvent(event, chain, owner, commission, {
        subscriptionId: chain.id,
        purchaseId: null,
        grantedEntitlementId: row.grantedEntitlementId,
      });
    this.touched.add(customer);
  }

  addOneTime({ purchase, state, ledger, events }: OneTimeChange, owner: PurchaseOwner): void {
    const { customer, appId } = owner;
    const known = customer.purchases.find(({ id }) => id === purchase.id);
    const row: OneTimeRow = { ...purchase, ...ownership(known, customer), appId: known?.appId ?? appId };
    customer.purchases = [...customer.purchases.filter(({ id }) => id !== purchase.id), row].sort(byFacts);
    this.changes.revalued.push(purchase.id);
    put(this.changes.oneTime, {
      ...row,
      storeProductId: state.storeProductId,
      storeIdentifiers: [state.storeTransactionId],
      purchasedAtMs: state.purchasedAtMs,
      status: state.status,
    });
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
    const commission = oneTimeCommission(store);
    this.addMoney(ledger, place, commission);
    this.addSales(ledger, place, owner);
    const before = known ? oneTimeOf(known).facts : noOneTimeFacts;
    const returns = oneTimeReturns(purchase.purchaseKey, before, purchase.facts);
    this.currencies.addReturns(returns, place, owner);
    for (const event of events) {
      this.addPurchaseEvent(event, purchase, owner, commission, {
        subscriptionId: null,
        purchaseId: purchase.id,
        grantedEntitlementId: null,
      });
    }
    this.touched.add(customer);
  }

  /** Tells what was credited so far, at the customers' times: before time goes on within a change. */
  tellCredits(): void {
    this.addCurrencyEvents(this.currencies.creditEvents());
  }

  /** An event of a customer; `body` gets the id, the time and the sequence number that the event has. */
  addEvent(
    customer: CustomerRow,
    other: CustomerRow | null,
    place: EventPlace,
    body: (head: EventHead) => object,
  ): void {
    customer.eventSequence += 1;
    const atMs = timeOf(customer, this.nowMs);
    const earlier = this.eventCounts.get(customer) ?? { all: 0, atMs, then: 0 };
    const then = earlier.atMs === atMs ? earlier.then : 0;
    this.eventCounts.set(customer, { all: earlier.all + 1, atMs, then: then + 1 });
    const head: EventHead = {
      id: newEventId(),
      // A customer's events of one change are a millisecond apart, so that consumers can sort them.
      createdAtMs: atMs + then,
      sequence: customer.eventSequence,
    };
    this.changes.events.push({
      ...place,
      ...head,
      // When it was recorded: webhooks go out in real time, whatever a test clock says.
      createdAtMs: this.nowMs + earlier.all,
      customerId: customer.id,
      otherCustomerId: other?.id ?? null,
      body: body(head),
    });
    this.touched.add(customer);
  }

  get isEmpty(): boolean {
    return this.touched.size === 0;
  }

  /** Customers that the change is about, all of them locked. */
  get customers(): CustomerRow[] {
    return [...this.touched];
  }

  /** `taken` is what there was to take back, `others` are locked customers beside those of the change. */
  finish(
    seenAtMs: number,
    seenCustomerIds: ReadonlySet<string>,
    { taken = [], others = [] }: { taken?: TakenBack[]; others?: CustomerRow[] } = {},
  ): FinishedChange {
    this.tellCredits();
    this.addCurrencyEvents(this.currencies.returnEvents(taken, [...this.touched, ...others]));
    const sightings: Sighting[] = [];
    const snapshots = new Map<string, PreparedSnapshot>();
    for (const customer of this.touched) {
      customer.version += 1;
      if (seenCustomerIds.has(customer.id)) {
        sightings.push({ customerId: customer.id, lastSeenAtMs: customer.lastSeenAtMs });
        customer.lastSeenAtMs = seenAtMs;
      }
      snapshots.set(customer.id, prepareSnapshot(customer, this.catalog, timeOf(customer, this.nowMs)));
      const { id, originalAppUserId, version, eventSequence, firstSeenAtMs, lastSeenAtMs } = customer;
      this.changes.customers.push({
        id,
        originalAppUserId,
        version,
        eventSequence,
        firstSeenAtMs,
        lastSeenAtMs,
      });
    }
    this.changes.chains = [...this.chains.values()];
    this.changes.snapshots = [...snapshots.values()];
    return { changes: this.changes, snapshots, sightings };
  }

  /** When something happens next: by itself, or because the Test Store renews. */
  private nextDue(chain: Chain, appId: string | null, { nextDueAtMs }: ChainState): number | null {
    const word = wordInRealTime({ ...chain, appId }, this.catalog);
    if (word === null || nextDueAtMs === null) return word?.atMs ?? nextDueAtMs;
    return Math.min(word.atMs, nextDueAtMs);
  }

  private addMoney(entries: LedgerEntry[], place: LedgerOwner, commission: SaleCommission): void {
    for (const entry of entries) {
      this.changes.ledger.push(ledgerWrite(entry, place, this.nowMs, this.toUsd, commission));
    }
  }

  private addSales(entries: LedgerEntry[], place: LedgerOwner, owner: PurchaseOwner): void {
    for (const entry of entries) this.currencies.addSale(entry, place, owner);
  }

  /** Behind all events of purchases: the order that consumers are told. */
  private addCurrencyEvents(events: CurrencyEvent[]): void {
    for (const { customer, seenAs, dedupeKey, event } of events) {
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
      this.addEvent(customer, null, place, (head) => currencyEventBody(head, customer, seenAs, event));
    }
  }

  private addPurchaseEvent(
    event: EngineEvent,
    purchase: Chain | OneTimePurchase,
    { customer, appId, seenAs }: PurchaseOwner,
    commission: SaleCommission,
    target: {
      subscriptionId: string | null;
      purchaseId: string | null;
      grantedEntitlementId: string | null;
    },
  ): void {
    const { store, environment }: { store: Store; environment: Environment } = purchase;
    const { subscriptionId, purchaseId, grantedEntitlementId } = target;
    const products = event.items ?? [event];
    const unlocked = unlockedByAll(this.catalog, { appId, grantedEntitlementId }, products);
    const entitlementLookupKeys = unlocked.map(({ lookupKey }) => lookupKey);
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
    this.addEvent(customer, null, place, (head) =>
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
}

/** Each row is written once, as it is in the end. */
function put<Row extends { id: string }>(rows: Row[], row: Row): void {
  const index = rows.findIndex(({ id }) => id === row.id);
  if (index === -1) rows.push(row);
  else rows[index] = row;
}

/** Oldest statement first, as the database lists them. */
function byFacts(a: ChainRow | OneTimeRow, b: ChainRow | OneTimeRow): number {
  return a.factsAtMs - b.factsAtMs || (a.id < b.id ? -1 : 1);
}
