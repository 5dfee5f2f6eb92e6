import { randomBytes } from 'node:crypto';
import {
  type Circumstances,
  effectiveFacts,
  grantObservation,
  grantProductId,
  importOneTime,
  importSubscription,
  newOneTimePurchase,
  newSubscription,
  noSubscriptionFacts,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  isOf,
  oneTimeOf,
  oneTimeOfPurchase,
  owns,
  subscriptionOf,
  subscriptionOfPurchase,
} from '../../customers/customers/customer-purchases.js';
import {
  type CustomerRow,
  type OneTimeRow,
  type SubscriptionRow,
  timeOf,
} from '../../customers/customers/customer-state.js';
import { baseOrderOf, keyStateOf, tokenNeededKey } from '../../customers/customers/unconfirmed-keys.js';
import { applyOwned } from '../../purchases/recording/apply-purchases.js';
import { settled } from '../../purchases/recording/settled.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import type { ImportedPurchaseDto, ImportedSubscriptionDto } from './customer-import.dto.js';
import type { ImportNotes } from './import-notes.js';
import type { Resolution, Resolutions } from './import-resolver.js';
import { isRawIdentifier, isRecordable, resolvedPurchase, resolvedSubscription } from './imported-items.js';
import { readPurchase } from './imported-purchase.policy.js';
import { type ReadSubscription, readSubscription } from './imported-subscription.policy.js';

/** The end of a grant without an end, and what other systems write instead of one. */
const LIFETIME_MS = 100 * 365 * 86_400_000;
const SAME_END_MS = 2 * 3_600_000;

export interface ImportScope {
  catalog: Catalog;
  resolutions: Resolutions;
  asOfMs: number;
  holdDays: number;
  /** Whether stores are asked for keys that the import does not know. */
  asksStores: boolean;
  emits: boolean;
  nowMs: number;
}

export interface ItemTarget {
  customer: CustomerRow;
  path: string;
  notes: ImportNotes;
}

interface Found<Row> {
  row: Row;
  owner: CustomerRow;
}

/** Adds the purchases of items to a change. All customers that have some of them must be locked. */
export class PurchaseImports {
  /** Open subscriptions to ask their store about. */
  readonly polled: { row: SubscriptionRow; isOutdated: boolean; startedAtMs: number }[] = [];
  /** Recorded items by subscription id. */
  readonly recorded = new Set<string>();
  private readonly created = new Set<string>();

  constructor(
    private readonly change: ChangeBuilder,
    private readonly scope: ImportScope,
    /** Their purchases change as items are added. */
    private readonly customers: readonly CustomerRow[],
  ) {}

  /** Whether the item is now recorded for the customer. */
  addSubscription(given: ImportedSubscriptionDto, { customer, path, notes }: ItemTarget): boolean {
    const { catalog, resolutions } = this.scope;
    const item = resolvedSubscription(given, resolutions);
    const resolution = resolutions.get(given);
    if (resolution?.note !== undefined) notes.add(path, resolution.note);
    if (!isRecordable(item, path, catalog, notes)) return false;
    if (item.store === 'promotional') return this.addGrants(item, { customer, path, notes });
    const { asOfMs, holdDays } = this.scope;
    const isRaw = isRawIdentifier(item);
    if (isRaw && !resolution?.verified) {
      if (resolution?.note === undefined) notes.add(path, 'left out: its store was not asked about it');
      return false;
    }
    let isRecorded = false;
    if (!isRaw) {
      this.noteItem(item, path, notes);
      isRecorded = this.addRead(item, readSubscription(item, { asOfMs, holdDays }), {
        customer,
        path,
        notes,
      });
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

  private addRead(item: ImportedSubscriptionDto, read: ReadSubscription, target: ItemTarget): boolean {
    const { customer, path, notes } = target;
    const { nowMs: realMs, emits, asOfMs } = this.scope;
    const found = this.storedSubscription(read, item, customer);
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
        this.polled.push({ row, isOutdated: isOutdated || isRekeyed, startedAtMs });
      }
    }
    this.recorded.add(subscription.id);
    if (!known) this.created.add(subscription.id);
    return true;
  }

  /** A report of the store itself, as from a receipt. */
  private addReport(
    { app_id: appId = '', store }: ImportedSubscriptionDto,
    { environment, purchases }: NonNullable<Resolution['verified']>,
    customer: CustomerRow,
  ): boolean {
    const { nowMs: realMs, asOfMs, emits } = this.scope;
    const place = { store, environment };
    const others = this.customers.filter((row) => row !== customer);
    const own = purchases.filter((purchase) => !others.some((row) => owns(row, place, purchase)));
    const nowMs = timeOf(customer, realMs);
    const owner = { customer, appId, seenAs: customer.originalAppUserId };
    for (const purchase of own) {
      const known =
        purchase.kind === 'subscription'
          ? subscriptionOfPurchase(customer.subscriptions, place, purchase)
          : oneTimeOfPurchase(customer.purchases, place, purchase);
      // What was known before is news from the store as ever.
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
      const { atMs, facts } = settled(purchase, before.facts);
      const subscription = { ...before, factsAtMs: Math.max(before.factsAtMs, atMs) };
      const circumstances = this.change.circumstances(appId, nowMs);
      const applied = importSubscription(subscription, facts, nowMs, { ...circumstances, asOfMs, emits });
      this.change.addSubscription(applied, owner);
      this.created.add(subscription.id);
      this.recorded.add(subscription.id);
    }
    return own.length > 0;
  }

  /** The stored subscription that an item is about: by its key, or by any id of its payments. */
  private storedSubscription(
    read: ReadSubscription,
    item: ImportedSubscriptionDto,
    customer: CustomerRow,
  ): Found<SubscriptionRow> | undefined {
    const ids = new Set([
      ...read.names,
      ...Object.values(read.facts.imported?.periods ?? {}).map(({ value }) => value.storeTransactionId),
    ]);
    const bases = new Set([...ids].map(baseOrderOf));
    const all = [customer, ...this.customers.filter((row) => row !== customer)].flatMap((owner) =>
      owner.subscriptions.filter((row) => isOf(row, read)).map((row) => ({ row, owner })),
    );
    const isApple = read.store === 'app_store' || read.store === 'mac_app_store';
    const isPlay = read.store === 'play_store';
    return (
      all.find(({ row }) => row.storeKey === read.storeKey) ??
      (isPlay ? all.find(({ row }) => [...bases].some((base) => isOfOrder(row, base))) : undefined) ??
      (isApple ? all.find(({ row }) => idsOf(row).some((id) => ids.has(id))) : undefined) ??
      (isPlay && item.purchase_token !== undefined ? this.waitingOf(read, item, customer) : undefined)
    );
  }

  /** A token without its order is of the only subscription to the same product that waits for one. */
  private waitingOf(
    read: ReadSubscription,
    { app_id: appId, product_identifier: product }: ImportedSubscriptionDto,
    owner: CustomerRow,
  ): Found<SubscriptionRow> | undefined {
    const [row, ...others] = owner.subscriptions.filter(
      (one) =>
        isOf(one, read) &&
        one.appId === appId &&
        keyStateOf(one) === 'token_needed' &&
        Object.values(effectiveFacts(one.facts as SubscriptionFacts).periods).some(
          ({ value }) => value.storeProductId === product?.split(':')[0],
        ),
    );
    return row && others.length === 0 ? { row, owner } : undefined;
  }

  /** One grant for each entitlement; one with about the same end is the same grant. */
  private addGrants(item: ImportedSubscriptionDto, { customer, path, notes }: ItemTarget): boolean {
    const { catalog, nowMs: realMs, asOfMs, emits } = this.scope;
    const nowMs = timeOf(customer, realMs);
    const startMs = item.starts_at ?? nowMs;
    const given = item.current_period_ends_at ?? null;
    const endMs = given !== null && given > nowMs + LIFETIME_MS ? null : given;
    let isRecorded = false;
    for (const key of item.entitlement_lookup_keys ?? []) {
      const entitlement = catalog.findEntitlement(key);
      if (!entitlement) {
        notes.add(path, `there is no entitlement "${key}"`);
        continue;
      }
      isRecorded = true;
      const isKnown = customer.subscriptions
        .filter(({ grantedEntitlementId }) => grantedEntitlementId === entitlement.id)
        .some(({ facts }) =>
          Object.values((facts as SubscriptionFacts).periods).some(({ value }) =>
            isSameEnd(value.endMs, endMs),
          ),
        );
      if (isKnown) continue;
      const id = newId('subscription', realMs);
      const identity = { id, store: 'promotional', environment: 'production', storeKey: id } as const;
      const { facts } = grantObservation({
        key: id,
        storeProductId:
          item.product_identifier ??
          grantProductId(entitlement.lookupKey, endMs === null ? 'lifetime' : 'custom'),
        transactionId: randomBytes(16).toString('hex'),
        grantedAtMs: Math.min(startMs, nowMs),
        endMs,
      });
      const granted = importSubscription(newSubscription(identity), facts, nowMs, { asOfMs, emits });
      this.change.addSubscription(granted, {
        customer,
        appId: null,
        seenAs: customer.originalAppUserId,
        grantedEntitlementId: entitlement.id,
      });
    }
    return isRecorded;
  }

  addPurchase(given: ImportedPurchaseDto, { customer, path, notes }: ItemTarget): boolean {
    const { catalog, resolutions, asOfMs, emits, nowMs: realMs } = this.scope;
    const item = resolvedPurchase(given, resolutions);
    const note = resolutions.get(given)?.note;
    if (note !== undefined) notes.add(path, note);
    if (!isRecordable(item, path, catalog, notes)) return false;
    const { app_id: appId, product_identifier: product } = item;
    if (!catalog.productOf(appId, product)) notes.add(path, `the product "${product}" is not in the catalog`);
    const read = readPurchase(item, asOfMs);
    const found = this.oneTimeOf(read.purchaseKey, read.names, item);
    if (found && found.owner !== customer) {
      notes.add(path, `stays with its present owner ${found.owner.originalAppUserId}`);
      return false;
    }
    const nowMs = timeOf(customer, realMs);
    const { store, environment, purchaseKey } = read;
    const identity = { id: newId('purchase', realMs), store, environment, purchaseKey };
    const isTokenNew =
      found &&
      item.purchase_token !== undefined &&
      (found.row.facts as { purchase: unknown }).purchase === null;
    const purchase = found
      ? { ...oneTimeOf(found.row), ...(isTokenNew && { purchaseKey }) }
      : newOneTimePurchase(identity);
    const applied = importOneTime(purchase, read.imported, nowMs, { emits });
    if (applied.changed || (found && purchase.purchaseKey !== found.row.purchaseKey)) {
      this.change.addOneTime(applied, { customer, appId, seenAs: customer.originalAppUserId });
    }
    return true;
  }

  private oneTimeOf(key: string, names: string[], item: ImportedPurchaseDto): Found<OneTimeRow> | undefined {
    const place = { store: item.store, environment: item.environment ?? 'production' };
    const all = this.customers.flatMap((owner) =>
      owner.purchases.filter((row) => isOf(row, place)).map((row) => ({ row, owner })),
    );
    return (
      all.find(({ row }) => row.purchaseKey === key) ??
      all.find(({ row }) => names.includes(transactionOf(row) ?? ''))
    );
  }
}

function transactionOf({ facts }: OneTimeRow): string | undefined {
  const { purchase, imported } = facts as ReturnType<typeof oneTimeOf>['facts'];
  return (purchase ?? imported?.purchase)?.value.storeTransactionId;
}

function isSameEnd(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= SAME_END_MS;
}

function idsOf({ facts }: SubscriptionRow): string[] {
  const { periods, imported } = facts as SubscriptionFacts;
  return [...Object.values(periods), ...Object.values(imported?.periods ?? noSubscriptionFacts.periods)].map(
    ({ value }) => value.storeTransactionId,
  );
}

/** Whether a subscription has an order with the same base: renewals only add a number to it. */
function isOfOrder(row: SubscriptionRow, base: string): boolean {
  return (
    row.storeKey === tokenNeededKey(base) ||
    idsOf(row).some((id) => baseOrderOf(id) === base && id.startsWith('GPA'))
  );
}

/** The key of a known subscription once the item is added: a better one than the present, or the present. */
function keyAfter(known: SubscriptionRow, read: ReadSubscription): string {
  const state = keyStateOf(known);
  const isBetter =
    state === 'token_needed'
      ? keyStateOf(read) === null
      : state === 'guessed' && read.facts.imported?.guessed?.value === false;
  return isBetter ? read.storeKey : known.storeKey;
}

/** The import knows a later period than the store's last report. */
function isNewerThanStore({ periods, imported }: SubscriptionFacts): boolean {
  const latest = (all: SubscriptionFacts['periods']): number =>
    Math.max(-Infinity, ...Object.values(all).map(({ value }) => value.startMs));
  return Object.keys(periods).length > 0 && latest(imported?.periods ?? {}) > latest(periods);
}
