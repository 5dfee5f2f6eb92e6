import type { Store } from '../../../libs/engine/index.js';
import type { Catalog, TransferBehavior } from '../../catalog/snapshot/catalog.model.js';
import {
  oneTimeEntitlements,
  ownedOneTime,
  ownedSubscription,
  subscriptionEntitlements,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { isIdentified, shareTime } from '../../purchases/ownership/ownership.policy.js';
import { productIdOf } from '../../webhooks/events/event-body.js';
import type { RedeemablePurchase } from '../links/redeemable-purchase.js';

/** `alias` merges redeemer and owner, `transfer` moves the purchase, `refuse` changes nothing. */
export type RedemptionDecision = 'alias' | 'transfer' | 'refuse';

/** Outcome of a redemption. `redeemer_owns`: the redeemer already owned the purchase. */
export type RedemptionOutcome = 'alias' | 'transfer' | 'redeemer_owns';

export interface RedemptionCase {
  redeemerIsIdentified: boolean;
  ownerIsIdentified: boolean;
  behavior: TransferBehavior;
  /** The purchase is a subscription that currently gives the owner access. */
  ownerHasAccess: boolean;
}

/** The holder of the link made the purchase, so an anonymous side is the same person, whatever the setting. */
export function decideRedemption(redemption: RedemptionCase): RedemptionDecision {
  if (!redemption.redeemerIsIdentified || !redemption.ownerIsIdentified) return 'alias';
  switch (redemption.behavior) {
    case 'transfer':
      return 'transfer';
    case 'transfer_if_no_active':
      return redemption.ownerHasAccess ? 'refuse' : 'transfer';
    case 'keep':
      return 'refuse';
    case 'share':
      return 'alias';
  }
}

/** Decides for two locked customers. */
export function decisionFor(
  owner: CustomerRow,
  redeemer: CustomerRow,
  purchase: RedeemablePurchase,
  behavior: TransferBehavior,
  nowMs: number,
): RedemptionDecision {
  if (!shareTime(owner, redeemer)) return 'refuse';
  const subscription = owner.subscriptions.find(({ id }) => id === purchase.purchaseId);
  return decideRedemption({
    redeemerIsIdentified: isIdentified(redeemer),
    ownerIsIdentified: isIdentified(owner),
    behavior,
    ownerHasAccess:
      subscription !== undefined && ownedSubscription(subscription, timeOf(owner, nowMs)).state.givesAccess,
  });
}

/**
 * The customer who remains after the merge and gets the other's ids: the identified one; if both are, the redeemer; if
 * neither is, the older one.
 */
export function survivorOf(owner: CustomerRow, redeemer: CustomerRow): CustomerRow {
  const [ofOwner, ofRedeemer] = [isIdentified(owner), isIdentified(redeemer)];
  if (ofOwner !== ofRedeemer) return ofOwner ? owner : redeemer;
  // Two identified customers who share: the redeemer absorbs the owner, as with a shared receipt.
  if (ofOwner) return redeemer;
  return owner.firstSeenAtMs <= redeemer.firstSeenAtMs ? owner : redeemer;
}

/** Facts about the purchase for the event. */
export function productFacts(
  catalog: Catalog,
  owner: CustomerRow,
  { purchaseId, store }: RedeemablePurchase,
  nowMs: number,
): { productId: string; entitlementLookupKeys: string[] } {
  const row = owner.subscriptions.find(({ id }) => id === purchaseId);
  if (row) {
    const owned = ownedSubscription(row, timeOf(owner, nowMs));
    return {
      productId: productIdOf(owned.state, store as Store),
      entitlementLookupKeys: subscriptionEntitlements(catalog, owned).map(({ lookupKey }) => lookupKey),
    };
  }
  const bought = owner.purchases.find(({ id }) => id === purchaseId);
  if (!bought) throw new Error('the owner lost the purchase while locked');
  const owned = ownedOneTime(bought, catalog);
  return {
    productId: productIdOf(owned.state, store as Store),
    entitlementLookupKeys: oneTimeEntitlements(catalog, owned).map(({ lookupKey }) => lookupKey),
  };
}
