import { Injectable } from '@nestjs/common';
import {
  applySubscription,
  applyOneTime,
  type Circumstances,
  newSubscription,
  newOneTimePurchase,
} from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { AttributeInput } from '../../customers/customers/attribute-merge.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService, type FirstInstallation } from '../../customers/customers/customers.service.js';
import { CurrencyCredits } from '../currencies/currency-credits.js';
import { CurrencyReturns, type TakenBack } from '../currencies/currency-returns.js';
import { LastSeenRecorder } from '../../customers/customers/last-seen.recorder.js';
import type { PreparedSnapshot } from '../../customers/customers/snapshots.repository.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.js';
import { ExchangeRates } from '../../platform/exchange-rates/exchange-rates.js';
import { aliasEventBody } from '../../webhooks/events/event-body.js';
import { ListeningTime } from '../../platform/listening/listening-time.js';
import { StoreTasks } from '../store-tasks/store-tasks.js';
import { WebhookDispatcher } from '../../webhooks/webhooks/webhook-dispatcher.js';
import { ChangeBuilder } from './change-builder.js';
import type { EventWrite } from './change-set.js';
import { ChangesRepository } from './changes.repository.js';
import {
  subscriptionOf,
  subscriptionOfPurchase,
  oneTimeOf,
  oneTimeOfPurchase,
  owns,
} from '../../customers/customers/customer-purchases.js';
import { EngineMetrics } from './engine-metrics.js';
import type { OwnershipClaim } from './ownership.service.js';
import { settled } from './settled.js';

/** Purchases that a store vouches for, and the customer who posted them. */
export interface PostedPurchases extends OwnershipClaim {
  appId: string;
  purchases: VerifiedPurchase[];
  /** Checked attributes that came along, and who says so. */
  attributes: AttributeInput[];
  attributeSource: 'sdk' | 'api';
  /** What the receipt shows of the installation of the app. */
  installation?: FirstInstallation;
  /** The purchases as the store vouches for them at the time of a test clock. For stores that can. */
  atTestClock?: (nowMs: number) => Promise<VerifiedPurchase[]>;
}

/** Purchases, and the id of their owner by which a request or the store knows them. */
export type OwnedPurchases = Pick<
  PostedPurchases,
  'appId' | 'store' | 'environment' | 'purchases' | 'appUserId'
>;

/** What a change wrote. */
export interface SavedChange {
  /** The new answers by customer id. */
  answers: Map<string, PreparedSnapshot>;
  events: EventWrite[];
}

export type PostedAttributes = Pick<PostedPurchases, 'attributes' | 'attributeSource'>;

/** The request that made two ids one. */
export interface AliasOrigin {
  projectId: string;
  appId: string | null;
  requestId: string;
  /** The request is the customer's own (the default), not a backend's. */
  isSeen?: boolean;
}

/** The one code path that changes purchases: observations in, state, money, events and deliveries out. */
@Injectable()
export class PurchaseRecorder {
  constructor(
    private readonly customers: CustomersService,
    private readonly repository: ChangesRepository,
    private readonly currencies: CurrencyCredits,
    private readonly returns: CurrencyReturns,
    private readonly rates: ExchangeRates,
    private readonly lastSeen: LastSeenRecorder,
    private readonly dispatcher: WebhookDispatcher,
    private readonly tasks: StoreTasks,
    private readonly metrics: EngineMetrics,
    private readonly listening: ListeningTime,
  ) {}

  /** An empty change as of a moment. */
  newChange(catalog: Catalog, nowMs: number, { preparesAnswers = true } = {}): ChangeBuilder {
    return new ChangeBuilder(catalog, nowMs, this.rates.toUsd, preparesAnswers);
  }

  /** What no store says of the subscriptions of an app. */
  circumstances(catalog: Catalog, appId: string | null, nowMs: number): Circumstances {
    return {
      storeCanBeAsked: catalog.storeCanBeAsked(appId),
      listeningSinceMs: this.listening.sinceMs(nowMs),
    };
  }

  /**
   * Adds to a change what posted purchases tell that is new. The poster must be locked, and own them or nobody.
   * Gives the names of attributes that were refused because the poster has too many.
   */
  apply(builder: ChangeBuilder, posted: PostedPurchases, poster: CustomerRow, nowMs: number): string[] {
    // First, so that the events of the purchases carry them.
    const tooMany = this.applyAttributes(builder, posted, poster, nowMs);
    this.applyOwned(builder, posted, poster, nowMs);
    return tooMany;
  }

  /** Adds what a request says of a locked customer. Gives the names refused because there are too many. */
  applyAttributes(
    builder: ChangeBuilder,
    { attributes, attributeSource: source }: PostedAttributes,
    poster: CustomerRow,
    nowMs: number,
  ): string[] {
    if (attributes.length === 0) return [];
    return builder.mergeAttributes(poster, attributes, { source, overrules: false, nowMs });
  }

  /** As `apply`, of purchases that come without a request. The owner must be locked, and own them or nobody. */
  applyOwned(builder: ChangeBuilder, owned: OwnedPurchases, owner: CustomerRow, nowMs: number): void {
    for (const purchase of owned.purchases) this.applyOne(builder, purchase, owned, owner, nowMs);
  }

  /**
   * Adds what a store reports of purchases, each on its owner, all of whom must be locked; on `heir` what nobody owns.
   * Gives the keys of purchases that have no owner; nothing of those is recorded.
   */
  applyReported(
    builder: ChangeBuilder,
    reported: Omit<OwnedPurchases, 'appUserId'>,
    owners: CustomerRow[],
    newOwner: CustomerRow | null,
    nowMs: number,
  ): string[] {
    const unowned: string[] = [];
    for (const purchase of reported.purchases) {
      const owner = owners.find((row) => owns(row, reported, purchase)) ?? newOwner;
      if (!owner) {
        unowned.push(purchase.key);
        continue;
      }
      const owned = { ...reported, purchases: [purchase], appUserId: owner.originalAppUserId };
      this.applyOwned(builder, owned, owner, nowMs);
    }
    return unowned;
  }

  /** Adds what a receipt shows beside purchases. The poster must be locked. */
  async applyInstallation(
    tx: Transaction,
    builder: ChangeBuilder,
    { projectId, installation }: PostedPurchases,
    poster: CustomerRow,
  ): Promise<void> {
    if (!installation) return;
    if (await this.customers.noteInstallation(tx, projectId, poster, installation)) builder.touch(poster);
  }

  /** The event of an id that joined a locked customer, and the answer that knows it. */
  async recordAlias(
    tx: Transaction,
    { projectId, appId, requestId, isSeen = true }: AliasOrigin,
    customer: CustomerRow,
    joinedAppUserId: string,
    catalog: Catalog,
    nowMs: number,
  ): Promise<EventWrite[]> {
    const builder = this.newChange(catalog, nowMs);
    const place = {
      type: 'SUBSCRIBER_ALIAS',
      dedupeKey: `sa:${requestId}:${customer.id}:${customer.eventSequence}`,
      occurredAtMs: timeOf(customer, nowMs),
      subscriptionId: null,
      purchaseId: null,
      appId,
      environment: null,
      delivery: 'send' as const,
    };
    builder.addEvent(customer, null, place, (head) => aliasEventBody(head, customer, joinedAppUserId, appId));
    return (await this.save(tx, projectId, builder, isSeen ? [customer.id] : [], nowMs)).events;
  }

  private applyOne(
    builder: ChangeBuilder,
    purchase: VerifiedPurchase,
    { appId, store, environment, appUserId }: OwnedPurchases,
    customer: CustomerRow,
    realMs: number,
  ): void {
    const nowMs = timeOf(customer, realMs);
    const owner = { customer, appId, seenAs: appUserId };
    const { acknowledge, key } = purchase;
    const place = { store, environment };
    if (acknowledge) builder.acknowledge({ appId, key, detail: acknowledge });
    if (purchase.firstPostStands && owns(customer, place, purchase)) return;
    if (purchase.kind === 'subscription') {
      const row = subscriptionOfPurchase(customer.subscriptions, place, purchase);
      if (!row && purchase.onlyIfKnown) return;
      const storeKey = purchase.continues ?? key;
      const identity = { id: newId('subscription', realMs), ...place, storeKey };
      const subscription = row ? subscriptionOf(row) : newSubscription(identity);
      const circumstances = this.circumstances(builder.catalog, row?.appId ?? appId, nowMs);
      const change = applySubscription(
        subscription,
        settled(purchase, subscription.facts),
        nowMs,
        circumstances,
      );
      if (change.changed) builder.addSubscription(change, owner);
      return;
    }
    const row = oneTimeOfPurchase(customer.purchases, place, purchase);
    if (!row && purchase.onlyIfKnown) return;
    const identity = { id: newId('purchase', realMs), ...place, purchaseKey: key };
    const known = row ? oneTimeOf(row) : newOneTimePurchase(identity);
    const change = applyOneTime(known, settled(purchase, known.facts), nowMs);
    if (change.changed) builder.addOneTime(change, owner);
  }

  /**
   * Writes what a builder collected and wakes the webhook dispatcher.
   * `seenCustomerIds` are those whose own request it is, not a backend's.
   */
  async save(
    tx: Transaction,
    projectId: string,
    builder: ChangeBuilder,
    seenCustomerIds: string[],
    nowMs: number,
  ): Promise<SavedChange> {
    const { acknowledgements } = builder;
    if (acknowledgements.length > 0) await this.tasks.addIn(tx, projectId, acknowledgements);
    if (builder.isEmpty) return { answers: new Map(), events: [] };
    const given = await this.currencies.credit(tx, projectId, builder.currencies.credits, nowMs);
    builder.currencies.settle(given);
    const taken = await this.takeBack(tx, projectId, builder, nowMs);
    const { changes, snapshots, sightings } = builder.finish(nowMs, new Set(seenCustomerIds), taken);
    const startedAt = performance.now();
    await this.repository.save(tx, projectId, changes, nowMs);
    const durationMs = performance.now() - startedAt;
    tx.afterCommit(() => {
      this.metrics.committed(changes, durationMs, builder.unknownProducts);
      for (const { customerId, lastSeenAtMs } of sightings) {
        this.lastSeen.noteDay(projectId, customerId, lastSeenAtMs, nowMs);
      }
    });
    if (changes.events.length > 0) tx.afterCommit(() => this.dispatcher.wake());
    return { answers: snapshots, events: changes.events };
  }

  /** Takes back what came with refunded purchases; locks those who got it and have given the purchase away since. */
  private async takeBack(
    tx: Transaction,
    projectId: string,
    builder: ChangeBuilder,
    nowMs: number,
  ): Promise<{ taken: TakenBack[]; others: CustomerRow[] }> {
    const { customers, currencies } = builder;
    const { returns } = currencies;
    const nothing = { taken: [], others: [] };
    if (returns.length === 0) return nothing;
    const holders = await this.returns.holders(tx, projectId, returns);
    if (holders.length === 0) return nothing;
    const away = holders.filter(({ id }) => !customers.some((customer) => customer.id === id));
    const appUserIds = away.map(({ appUserId }) => appUserId);
    const others = away.length === 0 ? [] : await this.customers.lock(tx, projectId, { appUserIds });
    const lockedIds = new Set([...customers, ...others].map(({ id }) => id));
    const taken = await this.returns.takeBack(tx, projectId, returns, lockedIds, nowMs);
    if (!taken) throw new ConcurrentChange('currencies of a refunded purchase changed hands');
    return { taken, others };
  }
}
