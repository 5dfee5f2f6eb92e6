import type {
  Chain,
  ChainChange,
  ChainState,
  EngineEvent,
  Environment,
  LedgerEntry,
  OneTimeChange,
  OneTimePurchase,
  Store,
} from '../../libs/engine/index.js';
import { type AttributeInput, type AttributeWriter, mergeAttributes } from '../attributes/attribute-merge.js';
import { newEventId } from '../../libs/kernel/index.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { prepareSnapshot } from '../customers/customer-info.js';
import type { ChainRow, CustomerRow, OneTimeRow } from '../customers/customer-state.js';
import type { PreparedSnapshot } from '../customers/snapshots.repository.js';
import type { CurrencyCredit } from '../currencies/currency-credits.js';
import { currencyEventBody } from '../events/currency-event-body.js';
import { type EventHead, purchaseEventBody } from '../events/event-body.js';
import type { ToUsd } from '../exchange-rates/exchange-rates.js';
import type { NewChore } from '../store-chores/store-chore.js';
import type { ChangeSet, EventWrite } from './change-set.js';
import { currencyCredit, type PurchaseCredit } from './currency-grants.js';
import { unlockedBy } from './customer-purchases.js';
import { type LedgerOwner, ledgerWrite } from './ledger.js';

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

/** A customer who is seen by the change. */
export interface Sighting {
  customerId: string;
  /** The time before. */
  lastSeenAtMs: number | null;
}

export interface FinishedChange {
  changes: ChangeSet;
  /** The prepared answer of each touched customer by customer id. */
  snapshots: Map<string, PreparedSnapshot>;
  credits: CurrencyCredit[];
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
  };
  private readonly touched = new Set<CustomerRow>();
  private readonly credits: { credit: PurchaseCredit; customer: CustomerRow; seenAs: string }[] = [];
  private readonly eventCounts = new Map<CustomerRow, number>();
  /** Purchases that their store is to be told of. */
  readonly acknowledgements: NewChore[] = [];

  constructor(
    private readonly catalog: Catalog,
    private readonly nowMs: number,
    private readonly toUsd: ToUsd,
  ) {}

  /** A customer whose answer changes without a purchase of its own (after a move). */
  touch(customer: CustomerRow): void {
    this.touched.add(customer);
  }

  /** Has the store told that a purchase was recorded. */
  acknowledge({ appId, key, detail }: Pick<NewChore, 'appId' | 'key' | 'detail'>): void {
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

  addChain({ chain, state, ledger, events }: ChainChange, owner: PurchaseOwner): void {
    const { customer, appId } = owner;
    const known = customer.chains.find(({ id }) => id === chain.id);
    const row: ChainRow = {
      ...chain,
      ...ownership(known, customer),
      appId: known?.appId ?? appId,
      grantedEntitlementId: known?.grantedEntitlementId ?? owner.grantedEntitlementId ?? null,
    };
    customer.chains = [...customer.chains.filter(({ id }) => id !== chain.id), row].sort(byFacts);
    this.changes.chains.push({
      ...row,
      storeProductId: state.storeProductId,
      storeIdentifiers: namesOf(chain, state),
      startedAtMs: state.startedAtMs,
      accessEndsAtMs: state.accessEndsAtMs,
      status: state.status,
      nextDueAtMs: state.nextDueAtMs,
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
    this.addMoney(ledger, { ...money, ownerKey: chain.chainKey }, owner);
    for (const event of events)
      this.addPurchaseEvent(event, chain, owner, {
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
    this.changes.oneTime.push({
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
    this.addMoney(ledger, { ...money, ownerKey: purchase.purchaseKey }, owner);
    for (const event of events) {
      this.addPurchaseEvent(event, purchase, owner, {
        subscriptionId: null,
        purchaseId: purchase.id,
        grantedEntitlementId: null,
      });
    }
    this.touched.add(customer);
  }

  /** An event of a customer; `body` gets the id, the time and the sequence number that the event has. */
  addEvent(
    customer: CustomerRow,
    other: CustomerRow | null,
    place: EventPlace,
    body: (head: EventHead) => object,
  ): void {
    customer.eventSequence += 1;
    const earlier = this.eventCounts.get(customer) ?? 0;
    this.eventCounts.set(customer, earlier + 1);
    const head: EventHead = {
      id: newEventId(),
      // A customer's events of one change are a millisecond apart, so that consumers can sort them.
      createdAtMs: this.nowMs + earlier,
      sequence: customer.eventSequence,
    };
    this.changes.events.push({
      ...place,
      ...head,
      customerId: customer.id,
      otherCustomerId: other?.id ?? null,
      body: body(head),
    });
    this.touched.add(customer);
  }

  get isEmpty(): boolean {
    return this.touched.size === 0;
  }

  finish(seenAtMs: number, seenCustomerIds: ReadonlySet<string>): FinishedChange {
    this.addCreditEvents();
    const sightings: Sighting[] = [];
    const snapshots = new Map<string, PreparedSnapshot>();
    for (const customer of this.touched) {
      customer.version += 1;
      if (seenCustomerIds.has(customer.id)) {
        sightings.push({ customerId: customer.id, lastSeenAtMs: customer.lastSeenAtMs });
        customer.lastSeenAtMs = seenAtMs;
      }
      snapshots.set(customer.id, prepareSnapshot(customer, this.catalog, this.nowMs));
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
    this.changes.snapshots = [...snapshots.values()];
    const credits = this.credits.flatMap(({ credit }) => credit.credits);
    return { changes: this.changes, snapshots, credits, sightings };
  }

  private addMoney(entries: LedgerEntry[], place: LedgerOwner, { customer, seenAs }: PurchaseOwner): void {
    for (const entry of entries) {
      this.changes.ledger.push(ledgerWrite(entry, place, this.nowMs, this.toUsd));
      const credit = customer.blocked ? null : currencyCredit(entry, place, this.catalog, this.nowMs);
      if (credit) this.credits.push({ credit, customer, seenAs });
    }
  }

  /** Behind all events of purchases: the order that consumers are told. */
  private addCreditEvents(): void {
    for (const { credit, customer, seenAs } of this.credits) {
      const { event, sourceKey } = credit;
      const place: EventPlace = {
        type: 'VIRTUAL_CURRENCY_TRANSACTION',
        dedupeKey: `vc:${sourceKey}`,
        occurredAtMs: this.nowMs,
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
    target: {
      subscriptionId: string | null;
      purchaseId: string | null;
      grantedEntitlementId: string | null;
    },
  ): void {
    const { store, environment }: { store: Store; environment: Environment } = purchase;
    const { subscriptionId, purchaseId, grantedEntitlementId } = target;
    const { storeProductId, planId } = event;
    const unlocked = unlockedBy(this.catalog, { appId, grantedEntitlementId }, storeProductId, planId);
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
        { appId, store, environment, entitlementLookupKeys },
        this.toUsd,
      ),
    );
  }
}

/** Oldest statement first, as the database lists them. */
function byFacts(a: ChainRow | OneTimeRow, b: ChainRow | OneTimeRow): number {
  return a.factsAtMs - b.factsAtMs || (a.id < b.id ? -1 : 1);
}
