import {
  type AccessClaim,
  type EntitlementKey,
  type Environment,
  type ExplainedEntitlement,
  everSold,
  explainAddOns,
  explainSubscription,
  explainEntitlements,
  explainOneTime,
} from '../../../libs/engine/index.js';
import type { Catalog, CatalogEntitlement } from '../../catalog/snapshot/catalog.model.js';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import {
  oneTimeEntitlements,
  ownedSubscription,
  ownedOneTime,
  unlockedBy,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { OwnershipChangeRow } from '../../purchases/ownership/ownership-changes.repository.js';

export type PurchaseKind = 'subscription' | 'grant' | 'purchase';

/** One purchase that gives, or does not give, one entitlement. */
export interface AccessSource {
  kind: PurchaseKind;
  id: string;
  store: string;
  environment: Environment;
  storeProductId: string;
  productId: string | null;
  entitlement: EntitlementKey;
  /** Imported from Google Play; its purchase token is not known yet. */
  needsToken: boolean;
  claim: AccessClaim;
}

export interface AccessFacts {
  customerId: string;
  blockedAt: Date | null;
  subscriptions: SubscriptionRow[];
  oneTime: OneTimeRow[];
  /** Purchases that the customer used to own and that now belong to another customer. */
  given: { subscriptions: SubscriptionRow[]; oneTime: OneTimeRow[] };
  /** Ownership changes of all these purchases, newest first. */
  changes: OwnershipChangeRow[];
}

/** Excludes changes within merged customers, who are not two owners. */
function handovers(changes: OwnershipChangeRow[], purchaseId: string): OwnershipChangeRow[] {
  return changes.filter(
    (change) => change.purchaseId === purchaseId && change.fromCustomerId !== change.toCustomerId,
  );
}

/** The claim of a purchase for a customer who owned it only part of the time. */
function forCustomer(claim: AccessClaim, purchaseId: string, facts: AccessFacts): AccessClaim {
  const { customerId, changes, subscriptions, oneTime } = facts;
  const moves = handovers(changes, purchaseId);
  const isOwner = [...subscriptions, ...oneTime].some(({ id }) => id === purchaseId);
  if (!isOwner) {
    const causeAtMs =
      moves.find(({ fromCustomerId }) => fromCustomerId === customerId)?.occurredAt.getTime() ??
      claim.sinceMs;
    return {
      givesAccess: false,
      sinceMs: causeAtMs,
      untilMs: null,
      cause: 'transfer_away',
      causeAtMs,
      endReason: null,
      imported: null,
    };
  }
  const receivedAtMs =
    moves.find(({ toCustomerId }) => toCustomerId === customerId)?.occurredAt.getTime() ?? -Infinity;
  if (!claim.givesAccess || receivedAtMs <= claim.sinceMs) return claim;
  const cause = receivedAtMs >= claim.causeAtMs ? 'transfer' : claim.cause;
  return { ...claim, sinceMs: receivedAtMs, cause, causeAtMs: Math.max(receivedAtMs, claim.causeAtMs) };
}

function subscriptionSources(
  row: SubscriptionRow,
  facts: AccessFacts,
  catalog: Catalog,
  nowMs: number,
): AccessSource[] {
  const { subscription, state } = ownedSubscription(row, nowMs);
  const unlocked = new Map<string, CatalogEntitlement>();
  for (const { storeProductId, planId } of everSold(subscription)) {
    for (const entitlement of unlockedBy(catalog, row, storeProductId, planId)) {
      unlocked.set(entitlement.id, entitlement);
    }
  }
  return [...unlocked.values()].flatMap((entitlement) => {
    const unlocks = (storeProductId: string, planId: string | null): boolean =>
      unlockedBy(catalog, row, storeProductId, planId).some(({ id }) => id === entitlement.id);
    const own = explainSubscription(subscription, nowMs, unlocks);
    const { storeProductId, planId } = state;
    const claims = [
      ...(own ? [{ ...own, storeProductId, planId }] : []),
      ...explainAddOns(subscription, nowMs, unlocks),
    ];
    return claims.map(({ storeProductId, planId, ...claim }) => ({
      kind: row.grantedEntitlementId === null ? ('subscription' as const) : ('grant' as const),
      id: row.id,
      store: subscription.store,
      environment: subscription.environment,
      storeProductId,
      productId: catalog.productOf(row.appId, storeProductId, planId)?.id ?? null,
      entitlement,
      needsToken: keyStateOf(row) === 'token_needed',
      claim: forCustomer(claim, row.id, facts),
    }));
  });
}

function oneTimeSources(
  row: OneTimeRow,
  facts: AccessFacts,
  catalog: Catalog,
  nowMs: number,
): AccessSource[] {
  const owned = ownedOneTime(row, catalog);
  const { purchase, state } = owned;
  const claim = forCustomer(explainOneTime(purchase, state, nowMs), row.id, facts);
  return oneTimeEntitlements(catalog, owned).map((entitlement) => ({
    kind: 'purchase' as const,
    id: row.id,
    store: purchase.store,
    environment: purchase.environment,
    storeProductId: state.storeProductId,
    productId: catalog.productOf(row.appId, state.storeProductId, state.planId)?.id ?? null,
    entitlement,
    needsToken: false,
    claim,
  }));
}

/** Explains why a customer has each entitlement, or no longer has it. Omits entitlements that were never granted. */
export function explainAccess(
  facts: AccessFacts,
  catalog: Catalog,
  nowMs: number,
): ExplainedEntitlement<AccessSource>[] {
  const subscriptions = [...facts.subscriptions, ...facts.given.subscriptions];
  const oneTime = [...facts.oneTime, ...facts.given.oneTime];
  const explained = explainEntitlements([
    ...subscriptions.flatMap((row) => subscriptionSources(row, facts, catalog, nowMs)),
    ...oneTime.flatMap((row) => oneTimeSources(row, facts, catalog, nowMs)),
  ]);
  const { blockedAt } = facts;
  if (blockedAt === null) return explained;
  // Purchases grant a blocked customer no access.
  return explained.map((entitlement) => ({
    ...entitlement,
    active: false,
    untilMs: null,
    sinceMs: entitlement.active ? Math.max(blockedAt.getTime(), entitlement.sinceMs) : entitlement.sinceMs,
  }));
}
