export type TransferBehavior = 'transfer' | 'transfer_if_no_active' | 'keep' | 'share';

/** `merge` joins the two customers, `move` transfers the purchase to the poster, `refuse` changes nothing. */
export type OwnershipDecision = 'merge' | 'move' | 'refuse';

export interface OwnershipCase {
  behavior: TransferBehavior;
  /** The owner has at least one id that is not anonymous. */
  ownerIsIdentified: boolean;
  /** The owner has one of the posted subscriptions, and it gives access now. One-time purchases do not count. */
  ownerHasActiveSubscription: boolean;
  /** The poster asked to restore; otherwise it counts as a new purchase. */
  isRestore: boolean;
}

/** One decision for each owner other than the poster, for all purchases of the posted receipt together. */
export function decideOwnership(posted: OwnershipCase): OwnershipDecision {
  // An anonymous owner is the same person before signing in, whatever the setting.
  if (!posted.ownerIsIdentified) return 'merge';
  switch (posted.behavior) {
    case 'transfer':
      return 'move';
    case 'transfer_if_no_active':
      return posted.ownerHasActiveSubscription ? 'refuse' : 'move';
    case 'keep':
      return 'refuse';
    case 'share':
      return posted.isRestore ? 'merge' : 'refuse';
  }
}

export type IdentifyDecision =
  /** Both ids already belong to one customer. */
  | 'nothing'
  /** The new id becomes another id of the current customer. */
  | 'add_alias'
  /** The current, anonymous customer is merged into the existing one. */
  | 'merge'
  /** The SDK switches to the existing customer; the current one does not change. */
  | 'switch'
  /** The new id becomes a new customer. */
  | 'create';

export interface IdentifyCase {
  sameCustomer: boolean;
  currentIsAnonymous: boolean;
  newIdExists: boolean;
  /** An anonymous id from another device. */
  newCustomerHasAnonymousAlias: boolean;
}

export function decideIdentify(signIn: IdentifyCase): IdentifyDecision {
  if (signIn.sameCustomer) return 'nothing';
  if (!signIn.newIdExists) return signIn.currentIsAnonymous ? 'add_alias' : 'create';
  return signIn.currentIsAnonymous && !signIn.newCustomerHasAnonymousAlias ? 'merge' : 'switch';
}
