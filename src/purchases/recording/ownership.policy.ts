import {
  decideOwnership,
  deriveState,
  type Environment,
  factsWith,
  type OwnershipDecision,
  type Store,
  type TransferBehavior,
} from '../../../libs/engine/index.js';
import type { StoreAccount, VerifiedPurchase } from '../../../libs/stores/index.js';
import {
  subscriptionOf,
  subscriptionOfPurchase,
  isOf,
  owns,
  type PurchaseName,
} from '../../customers/customers/customer-purchases.js';
import { type SubscriptionRow, type CustomerRow, timeOf } from '../../customers/customers/customer-state.js';
import type { Device } from '../../customers/customers/last-seen.recorder.js';
import { settled } from './settled.js';

/** Somebody shows purchases of a store and wants to own them. */
export interface OwnershipClaim {
  projectId: string;
  appId: string | null;
  store: Store;
  environment: Environment;
  appUserId: string;
  /** Null when no SDK shows itself. */
  device: Device | null;
  isRestore: boolean;
  requestId: string;
  /** With what the store says of them now, where it was asked. */
  purchases: (PurchaseName | VerifiedPurchase)[];
  /** Accounts of the store that the purchases were made with, as the store itself says. */
  accounts?: StoreAccount[];
  /** Accounts that something else in the request shows: they prove nothing about the purchases. */
  installedAccounts?: StoreAccount[];
}

/** What a decision about a posted purchase rests on. */
export interface OwnershipQuestion {
  claim: Pick<OwnershipClaim, 'store' | 'environment' | 'isRestore' | 'purchases' | 'accounts'>;
  /** Null for a customer who is not known yet. */
  poster: CustomerRow | null;
  /** The other customers who own some of the posted purchases. */
  owners: CustomerRow[];
  behavior: TransferBehavior;
  nowMs: number;
}

/** Purchases only change hands between customers who live by the same clock: elsewhere they would jump in time. */
export function shareTime(a: CustomerRow, b: CustomerRow): boolean {
  return a.testClockId === b.testClockId;
}

/** The owner's subscriptions that the claimed purchases are of, each once. */
export function claimedSubscriptions(
  owner: CustomerRow,
  claim: OwnershipQuestion['claim'],
): SubscriptionRow[] {
  return [
    ...new Set(
      claim.purchases.flatMap((name) => subscriptionOfPurchase(owner.subscriptions, claim, name) ?? []),
    ),
  ];
}

/** As its store says now, too: whether a subscription gives access must not be judged by older news. */
function givesAccess(row: SubscriptionRow, claim: OwnershipQuestion['claim'], nowMs: number): boolean {
  let { facts } = subscriptionOf(row);
  for (const shown of claim.purchases) {
    if (!('kind' in shown) || shown.kind !== 'subscription' || shown.firstPostStands) continue;
    if (subscriptionOfPurchase([row], claim, shown) === undefined) continue;
    facts = factsWith(facts, settled(shown, facts), nowMs);
  }
  return deriveState(facts, nowMs).givesAccess;
}

/** Whether one of the accounts, of one app or of any, is known as the customer's. */
export function hasAccountOf(
  { accounts = [] }: CustomerRow,
  wanted: (StoreAccount & { appId?: string })[],
): boolean {
  return accounts.some((own) =>
    wanted.some(
      ({ kind, key, appId = own.appId }) => own.kind === kind && own.key === key && own.appId === appId,
    ),
  );
}

export function ownsClaimed(owner: CustomerRow, claim: OwnershipQuestion['claim']): boolean {
  return claim.purchases.some((name) => owns(owner, claim, name));
}

/**
 * Whether a customer counts as an owner because of the store account alone. Without an answer of Apple a receipt shows
 * only one purchase of its account; the signed app transaction id still tells whose account it is. In every store, a
 * customer whom only notifications made stands for whoever shows a purchase of the account.
 */
function ownsAccount(customer: CustomerRow, claim: OwnershipQuestion['claim']): boolean {
  const { accounts = [] } = claim;
  if (!isIdentified(customer) && customer.lastSeenAtMs === null) return hasAccountOf(customer, accounts);
  const isInStore = [...customer.subscriptions, ...customer.purchases].some((row) => isOf(row, claim));
  return isInStore && hasAppleAccount(customer, claim);
}

function hasAppleAccount(customer: CustomerRow, { accounts = [] }: OwnershipQuestion['claim']): boolean {
  return hasAccountOf(
    customer,
    accounts.filter(({ kind }) => kind === 'apple_app_transaction_id'),
  );
}

/** The subscriptions that an owner is judged by: those of the Apple account also where the receipt does not show them. */
function subscriptionsOfAccount(owner: CustomerRow, claim: OwnershipQuestion['claim']): SubscriptionRow[] {
  if (hasAppleAccount(owner, claim)) return owner.subscriptions.filter((row) => isOf(row, claim));
  return claimedSubscriptions(owner, claim);
}

export function isIdentified(customer: CustomerRow): boolean {
  return customer.aliases.some(({ isAnonymous }) => !isAnonymous);
}

/** Those of some customers, other than the poster, whom a claim is decided against. */
export function ownersOf(claim: OwnershipQuestion['claim'], others: CustomerRow[]): CustomerRow[] {
  return others.filter((row) => ownsClaimed(row, claim) || ownsAccount(row, claim));
}

/** Decides for each owner, in the order of `owners`. One `refuse` refuses the whole receipt. */
export function decideOwners(question: OwnershipQuestion): OwnershipDecision[] {
  return question.owners.map((owner) => decideOne(owner, question));
}

function decideOne(
  owner: CustomerRow,
  { claim, poster, behavior, nowMs }: OwnershipQuestion,
): OwnershipDecision {
  if (owner.testClockId !== (poster?.testClockId ?? null)) return 'refuse';
  const ownerMs = timeOf(owner, nowMs);
  return decideOwnership({
    behavior,
    isRestore: claim.isRestore,
    ownerIsIdentified: isIdentified(owner),
    ownerHasActiveSubscription: subscriptionsOfAccount(owner, claim).some((row) =>
      givesAccess(row, claim, ownerMs),
    ),
  });
}
