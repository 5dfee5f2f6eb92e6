import { type Circumstances, importSubscription, newSubscription } from '../../../../libs/engine/index.js';
import { newId } from '../../../../libs/kernel/index.js';
import {
  oneTimeOfPurchase,
  owns,
  subscriptionOf,
  subscriptionOfPurchase,
  withoutContinued,
} from '../../../customers/customers/customer-info/customer-purchases.js';
import {
  type CustomerRow,
  type SubscriptionRow,
  timeOf,
} from '../../../customers/customers/identity/customer-state.js';
import { applyOwned, joinContinued, ownPart } from '../../../purchases/recording/apply-purchases.js';
import type { ChangeBuilder } from '../../../purchases/recording/change-builder.js';
import { completedReport } from '../../../purchases/ownership/completed-report.js';
import type { ImportNotes } from '../import-notes.js';
import type { Resolution } from '../import-resolver.js';
import type { ImportScope, ItemTarget } from '../import-scope.js';
import { addGrants } from './imported-grants.js';
import { isRawIdentifier, isRecordable, resolvedSubscription } from './imported-items.js';
import type { ImportedSubscriptionDto } from '../imported-subscription.dto.js';
import type { DurationOf } from './imported-periods.policy.js';
import { type ReadSubscription, readSubscription } from './imported-subscription.policy.js';
import { isNewerThanStore, keyAfter, storedSubscription } from './stored-subscription.policy.js';

interface PolledSubscription {
  row: SubscriptionRow;
  isOutdated: boolean;
  startedAtMs: number;
  isUnknown: boolean;
}

/** Adds the subscriptions of items to a change. All customers who own any of them must be locked. */
export class SubscriptionImports {
  /** Open subscriptions to refresh from their store. */
  readonly polled: PolledSubscription[] = [];
  /** Recorded items by subscription id. */
  readonly recorded = new Set<string>();
  private readonly created = new Set<string>();

  constructor(
    private readonly change: ChangeBuilder,
    private readonly scope: ImportScope,
    /** Their purchases are updated as items are added. */
    private readonly customers: readonly CustomerRow[],
  ) {}

  /** Returns whether the item is now recorded for the customer. */
  add(given: ImportedSubscriptionDto, { customer, path, notes }: ItemTarget): boolean {
    const { catalog, resolutions } = this.scope;
    const item = resolvedSubscription(given, resolutions);
    const resolution = resolutions.get(given);
    if (resolution?.note !== undefined) notes.add(path, resolution.note);
    if (!isRecordable(item, path, catalog, notes)) return false;
    if (item.store === 'promotional')
      return addGrants(this.change, this.scope, item, { customer, path, notes });
    const { asOfMs, holdDays } = this.scope;
    const isRaw = isRawIdentifier(item);
    if (isRaw && !resolution?.verified) {
      if (resolution?.note === undefined) notes.add(path, 'left out: its store was not asked about it');
      return false;
    }
    let isRecorded = false;
    if (!isRaw) {
      this.noteItem(item, path, notes);
      const durationOf: DurationOf = (storeProductId, planId) =>
        catalog.productOf(item.app_id ?? null, storeProductId, planId)?.duration ?? null;
      const read = readSubscription(item, { asOfMs, holdDays, durationOf });
      const isUnknown = resolution?.isUnknown === true;
      isRecorded = this.addRead(item, read, { customer, path, notes }, isUnknown);
      if (!isRecorded) return false;
    }
    if (resolution?.verified) isRecorded = this.addReport(item, resolution.verified, customer) || isRecorded;
    return isRecorded;
  }

  private noteItem(item: ImportedSubscriptionDto, path: string, notes: ImportNotes): void {
    const { catalog } = this.scope;
    const { app_id: appId = null, product_identifier: product = '' } = item;
    if (!catalog.productOf(appId, product)) notes.add(path, `the product "${product}" is not in the catalog`);
    if (item.store === 'rc_billing') {
      notes.add(path, 'renewals stay with the system imported from; import again to move the end');
    }
  }

  private addRead(
    item: ImportedSubscriptionDto,
    read: ReadSubscription,
    target: ItemTarget,
    isUnknown: boolean,
  ): boolean {
    const { customer, path, notes } = target;
    const { nowMs: realMs, emits, asOfMs } = this.scope;
    const found = storedSubscription(read, item, customer, this.customers);
    if (found && found.owner !== customer) {
      notes.add(path, `stays with its present owner ${found.owner.originalAppUserId}`);
      return false;
    }
    const nowMs = timeOf(customer, realMs);
    const { store, environment, storeKey } = read;
    const known = found?.row;
    const subscription = known
      ? { ...subscriptionOf(known), storeKey: keyAfter(known, read) }
      : newSubscription({ id: newId('subscription', realMs), store, environment, storeKey });
    const circumstances: Circumstances = this.change.circumstances(item.app_id ?? null, nowMs);
    const terms = { ...circumstances, asOfMs, emits };
    const applied = importSubscription(subscription, read.facts, nowMs, terms);
    const isRekeyed = known !== undefined && subscription.storeKey !== known.storeKey;
    const appId = item.app_id ?? null;
    if (applied.changed || isRekeyed) {
      this.change.addSubscription(applied, {
        customer,
        appId,
        seenAs: customer.originalAppUserId,
        ...(item.original_customer_id !== undefined && { firstAppUserId: item.original_customer_id }),
      });
      const row = customer.subscriptions.find(({ id }) => id === subscription.id);
      const isOutdated = known !== undefined && isNewerThanStore(applied.subscription.facts);
      if (row && applied.state.status !== 'expired') {
        const { startedAtMs } = applied.state;
        this.polled.push({ row, isOutdated: isOutdated || isRekeyed, startedAtMs, isUnknown });
      }
    }
    this.recorded.add(subscription.id);
    if (!known) this.created.add(subscription.id);
    return true;
  }

  /** Adds a report of the store itself, like one from a receipt. */
  private addReport(
    { app_id: appId = '', store }: ImportedSubscriptionDto,
    { environment, purchases }: NonNullable<Resolution['verified']>,
    customer: CustomerRow,
  ): boolean {
    const { nowMs: realMs, asOfMs, emits } = this.scope;
    const place = { store, environment };
    const others = this.customers.filter((row) => row !== customer);
    const own = purchases
      .filter((purchase) => !others.some((row) => owns(row, place, withoutContinued(purchase))))
      .map((purchase) => ownPart(this.change, { appId, ...place }, purchase, others));
    const nowMs = timeOf(customer, realMs);
    const owner = { customer, appId, seenAs: customer.originalAppUserId };
    for (const purchase of own) {
      const known =
        purchase.kind === 'subscription'
          ? (joinContinued(this.change, place, purchase, owner) ??
            subscriptionOfPurchase(customer.subscriptions, place, purchase))
          : oneTimeOfPurchase(customer.purchases, place, purchase);
      // For purchases known before, this is an ordinary store report.
      if (purchase.kind === 'one_time' || (known && !this.created.has(known.id))) {
        const imported = { asOfMs, emits };
        const report = { ...owner, ...place, appUserId: owner.seenAs, purchases: [purchase], imported };
        applyOwned(this.change, report, customer, realMs);
        continue;
      }
      if (!known && purchase.onlyIfKnown) continue;
      const storeKey = purchase.continues ?? purchase.key;
      const before = known
        ? { ...subscriptionOf(known as SubscriptionRow), storeKey }
        : newSubscription({ id: newId('subscription', realMs), ...place, storeKey });
      const { atMs, facts } = completedReport(purchase, before.facts);
      const subscription = { ...before, factsAtMs: Math.max(before.factsAtMs, atMs) };
      const circumstances = this.change.circumstances(appId, nowMs);
      const applied = importSubscription(subscription, facts, nowMs, { ...circumstances, asOfMs, emits });
      this.change.addSubscription(applied, owner);
      this.created.add(subscription.id);
      this.recorded.add(subscription.id);
    }
    return own.length > 0;
  }
}
