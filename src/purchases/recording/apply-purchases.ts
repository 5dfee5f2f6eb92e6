import {
  applySubscription,
  importSubscription,
  type ImportTerms,
  type OneTimeChange,
  applyOneTime,
  newSubscription,
  newOneTimePurchase,
  grantRevocation,
  type SubscriptionChange,
} from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import {
  type OwnedSubscription,
  subscriptionOf,
  formerSubscription,
  subscriptionOfPurchase,
  oneTimeOf,
  oneTimeOfPurchase,
  ownerAmong,
  owns,
  isOf,
  type PurchasePlace,
  withoutContinued,
} from '../../customers/customers/customer-info/customer-purchases.js';
import {
  type CustomerRow,
  type SubscriptionRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import {
  keyStateOf,
  unconfirmedSubscription,
  waitingSubscription,
} from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { PurchaseOwner } from './change-rows.js';
import { aliasEventBody } from '../../webhooks/events/event-body.js';
import type { ChangeBuilder } from './change-builder.js';
import type { OutsidePurchase } from './outside-purchase.js';
import type { OwnedPurchases, PostedAttributes } from './posted-purchases.js';
import { completedReport } from '../ownership/completed-report.js';
import { withContinuations } from '../ownership/continued-purchases.js';
import { newCancellation } from '../play-cancellations/new-cancellation.js';

/** Sets attributes of a locked customer. Returns the names rejected because there are too many. */
export function applyAttributes(
  change: ChangeBuilder,
  { attributes, attributeSource: source }: PostedAttributes,
  poster: CustomerRow,
  nowMs: number,
): string[] {
  if (attributes.length === 0) return [];
  return change.mergeAttributes(poster, attributes, { source, overrules: false, nowMs });
}

/**
 * Applies new store data. The owner must be locked and own the purchases, unless they have no owner yet. `others` own
 * subscriptions that these purchases may continue.
 */
export function applyOwned(
  change: ChangeBuilder,
  owned: OwnedPurchases,
  owner: CustomerRow,
  nowMs: number,
  others: readonly CustomerRow[] = [],
): void {
  const known = knownSubscriptions(owned, [owner]);
  for (const purchase of owned.purchases) {
    const own = ownPart(change, owned, purchase, others);
    const whole = withContinuations(own, owned.purchases, owned, [owner, ...others]);
    applyOne(change, whole, { ...owned, known }, owner, nowMs);
  }
}

/** The purchase as a subscription of its own if another customer has the one that it continues. */
export function ownPart(
  change: ChangeBuilder,
  { appId, store, environment }: Pick<OwnedPurchases, 'appId' | 'store' | 'environment'>,
  purchase: VerifiedPurchase,
  others: readonly CustomerRow[],
): VerifiedPurchase {
  const { continues: key, namedByStore } = purchase;
  if (!namedByStore || key === undefined) return purchase;
  if (!others.some((row) => owns(row, { store, environment }, { key }))) return purchase;
  change.recordUnknown(appId, namedByStore.apart);
  return withoutContinued(purchase);
}

/** Keys of the reported subscriptions that were already known. */
function knownSubscriptions(
  reported: Omit<OwnedPurchases, 'appUserId'>,
  owners: CustomerRow[],
): ReadonlySet<string> {
  const subscriptions = reported.purchases.filter(({ kind }) => kind === 'subscription');
  const known = subscriptions.filter((one) => owners.some((row) => owns(row, reported, one)));
  return new Set(known.map(({ key }) => key));
}

/** All purchases of one payment have the same owner. */
function ownerOf(
  purchase: VerifiedPurchase,
  reported: Omit<OwnedPurchases, 'appUserId'>,
  owners: CustomerRow[],
): CustomerRow | undefined {
  const { soldWith } = purchase;
  const own = ownerAmong(owners, reported, purchase);
  return own ?? (soldWith === undefined ? undefined : ownerAmong(owners, reported, { key: soldWith }));
}

/** Owners must be locked. Returns the keys of purchases that still have no owner; these are not recorded. */
export function applyReported(
  change: ChangeBuilder,
  reported: Omit<OwnedPurchases, 'appUserId'>,
  owners: CustomerRow[],
  newOwner: CustomerRow | null,
  nowMs: number,
): string[] {
  const unowned: string[] = [];
  const known = knownSubscriptions(reported, owners);
  for (const purchase of reported.purchases) {
    const owner = ownerOf(purchase, reported, owners) ?? newOwner;
    if (!owner) {
      unowned.push(purchase.key);
      continue;
    }
    const owned = { ...reported, appUserId: owner.originalAppUserId, known };
    const others = owners.filter((row) => row !== owner);
    const own = ownPart(change, reported, purchase, others);
    const whole = withContinuations(own, reported.purchases, reported, owners);
    applyOne(change, whole, owned, owner, nowMs);
  }
  return unowned;
}

export function revokeGrant({ subscription, state }: OwnedSubscription, nowMs: number): SubscriptionChange {
  const grant = { key: subscription.storeKey, grantedAtMs: state.startedAtMs };
  return applySubscription(subscription, grantRevocation(grant, nowMs), nowMs);
}

export interface AliasOrigin {
  appId: string | null;
  requestId: string;
}

/** Adds the alias event for an id added to a locked customer, and refreshes that customer's answer. */
export function addAlias(
  change: ChangeBuilder,
  { appId, requestId }: AliasOrigin,
  customer: CustomerRow,
  joinedAppUserId: string,
  nowMs: number,
): void {
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
  change.addEvent(customer, null, place, (head) => aliasEventBody(head, customer, joinedAppUserId, appId));
}

/** For a purchase that an import found at its store: emits no past events and grants no currency. */
function quietly(change: OneTimeChange, { emits }: Pick<ImportTerms, 'emits'>): OneTimeChange {
  const isOwned = change.state.status === 'owned';
  return { ...change, sales: [], events: emits && isOwned ? change.events : [] };
}

const NEWS_MS = 24 * 3_600_000;

/** A purchase found in an old payment of a known subscription is recorded, but its events are not delivered. */
function unlessOld(
  change: OneTimeChange,
  { soldWith }: VerifiedPurchase,
  known: ReadonlySet<string>,
  nowMs: number,
): OneTimeChange {
  const isFound = soldWith !== undefined && known.has(soldWith);
  if (!isFound || nowMs - change.state.purchasedAtMs <= NEWS_MS) return change;
  return { ...change, events: change.events.map((event) => ({ ...event, delivery: 'suppressed' as const })) };
}

function applyOne(
  change: ChangeBuilder,
  purchase: VerifiedPurchase,
  {
    appId,
    store,
    environment,
    appUserId,
    imported,
    known: knownKeys,
    purchases,
  }: OwnedPurchases & { known: ReadonlySet<string> },
  customer: CustomerRow,
  realMs: number,
): void {
  const nowMs = timeOf(customer, realMs);
  const owner = { customer, appId, seenAs: appUserId };
  const { acknowledge, key } = purchase;
  const place = { store, environment };
  if (acknowledge) change.acknowledge({ appId, key, detail: acknowledge });
  if (purchase.firstPostStands && owns(customer, place, purchase)) return;
  if (purchase.kind === 'subscription') {
    const storeKey = purchase.continues ?? key;
    const row = oneSubscription(change, place, purchase, { ...owner, storeKey }, nowMs);
    if (!row && purchase.onlyIfKnown) return;
    // Its own key is not that of the subscription.
    const isPart = purchase.namedByStore !== undefined && (!row || row.storeKey === key);
    // A subscription imported without its store key, or recorded under a former one, has that key from now on.
    const isRenamed = row && (keyStateOf(row) !== null || isPart || row.storeKey === purchase.formerKey);
    const subscription = row
      ? { ...subscriptionOf(row), ...(isRenamed && { storeKey }) }
      : newSubscription({ id: newId('subscription', realMs), ...place, storeKey });
    if (isPart && !purchases.some((one) => one.key === storeKey)) {
      change.readPrevious({ appId, environment, key: storeKey });
    }
    const circumstances = change.circumstances(row?.appId ?? appId, nowMs);
    const report = completedReport(purchase, subscription.facts);
    const applied =
      imported && !row
        ? importSubscription({ ...subscription, factsAtMs: report.atMs }, report.facts, nowMs, {
            ...circumstances,
            ...imported,
          })
        : applySubscription(subscription, report, nowMs, circumstances);
    const [reported, before] = [report.facts.renewal?.value, subscription.facts.renewal?.value];
    change.addCancellation(newCancellation({ key, environment }, reported, before));
    if (applied.changed) change.addSubscription(applied, owner);
    if (row || applied.changed) {
      const { subscription: recorded, state } = applied;
      const { id, storeKey, facts } = recorded;
      const sold = { id, key: storeKey, facts, boughtAtMs: state.startedAtMs };
      change.addOutside(outsideOf(purchase, place, customer, sold), customer);
    }
    return;
  }
  const row = oneTimeOfPurchase(customer.purchases, place, purchase);
  if (!row && purchase.onlyIfKnown) return;
  const known = row
    ? { ...oneTimeOf(row), purchaseKey: key }
    : newOneTimePurchase({ id: newId('purchase', realMs), ...place, purchaseKey: key });
  const reported = applyOneTime(known, completedReport(purchase, known.facts), nowMs);
  const applied = row ? reported : unlessOld(reported, purchase, knownKeys, nowMs);
  if (applied.changed) change.addOneTime(imported && !row ? quietly(applied, imported) : applied, owner);
  if (!row && !applied.changed) return;
  const { id, facts } = applied.purchase;
  const sold = { id, key, facts, boughtAtMs: applied.state.purchasedAtMs };
  change.addOutside(outsideOf(purchase, place, customer, sold), customer);
}

function outsideOf(
  { externalTokenIds: tokenIds = [], soldWith }: VerifiedPurchase,
  { store, environment }: PurchasePlace,
  customer: CustomerRow,
  sold: Pick<OutsidePurchase, 'id' | 'key' | 'facts' | 'boughtAtMs'>,
): OutsidePurchase {
  return { ...sold, store, environment, customerId: customer.id, tokenIds, soldWith: soldWith ?? null };
}

/** The subscription that a report refers to. Merges imported subscriptions that turn out to be the same. */
function oneSubscription(
  change: ChangeBuilder,
  place: PurchasePlace,
  purchase: Extract<VerifiedPurchase, { kind: 'subscription' }>,
  owner: PurchaseOwner & { storeKey: string },
  nowMs: number,
): SubscriptionRow | undefined {
  const { customer, appId, storeKey } = owner;
  const { facts } = purchase.observation;
  const own = (): SubscriptionRow[] => customer.subscriptions.filter((one) => isOf(one, place));
  let row =
    joinContinued(change, place, purchase, owner) ??
    subscriptionOfPurchase(customer.subscriptions, place, purchase) ??
    formerSubscription(own(), purchase) ??
    (appId === null ? undefined : waitingSubscription(own(), appId, facts, nowMs));
  while (row) {
    const others = own().filter(({ id }) => id !== row?.id);
    const half = unconfirmedSubscription(others, facts);
    if (!half) return row;
    const key = keyStateOf(row) === null ? row.storeKey : storeKey;
    row = change.fold([row, half], key, owner);
  }
  return row;
}

/** Merges a subscription with the one that it continues, if both were known as subscriptions of their own. */
export function joinContinued(
  change: ChangeBuilder,
  place: PurchasePlace,
  purchase: VerifiedPurchase,
  owner: PurchaseOwner,
): SubscriptionRow | undefined {
  const { subscriptions } = owner.customer;
  if (!purchase.namedByStore || purchase.continues === undefined) return undefined;
  const own = subscriptionOfPurchase(subscriptions, place, withoutContinued(purchase));
  const continued = subscriptionOfPurchase(subscriptions, place, { key: purchase.continues });
  if (!own || !continued || own.id === continued.id) return undefined;
  return change.fold([continued, own], continued.storeKey, owner);
}
