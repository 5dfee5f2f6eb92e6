export type TransferBehavior = 'transfer' | 'transfer_if_no_active' | 'keep' | 'share';

/**
 * What happens to a purchase that somebody else owns: `merge` makes the two customers one, `move` gives the
 * purchase to the poster, `refuse` leaves everything as it is.
 */
export type OwnershipDecision = 'merge' | 'move' | 'refuse';

export interface OwnershipCase {
  behavior: TransferBehavior;
  /** The owner goes by at least one id that is not anonymous. */
  ownerIsIdentified: boolean;
  /** One of the posted subscriptions is the owner's and gives access now. One-time purchases never count. */
  ownerHasActiveSubscription: boolean;
  /** The poster asked to restore; otherwise it looks like a new purchase. */
  isRestore: boolean;
}

/** Decides for one owner, other than the poster, for all purchases of the posted receipt together. */
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

/** What a sign-in (logIn) does. */
export type IdentifyDecision =
  /** Both ids are one customer already. */
  | 'nothing'
  /** The new id becomes another id of the current customer. */
  | 'add_alias'
  /** The current, anonymous customer becomes part of the existing one. */
  | 'merge'
  /** The SDK goes on with the existing customer; the current one stays as it is. */
  | 'switch'
  /** The new id becomes a customer of its own. */
  | 'create';

export interface IdentifyCase {
  sameCustomer: boolean;
  currentIsAnonymous: boolean;
  newIdExists: boolean;
  /** The customer behind the new id already has an anonymous id of an earlier device. */
  newCustomerHasAnonymousAlias: boolean;
}

export function decideIdentify(signIn: IdentifyCase): IdentifyDecision {
  if (signIn.sameCustomer) return 'nothing';
  if (!signIn.newIdExists) return signIn.currentIsAnonymous ? 'add_alias' : 'create';
  return signIn.currentIsAnonymous && !signIn.newCustomerHasAnonymousAlias ? 'merge' : 'switch';
}
