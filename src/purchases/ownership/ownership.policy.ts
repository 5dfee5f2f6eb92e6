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
  withoutContinued,
  type PurchaseName,
} from '../../customers/customers/customer-info/customer-purchases.js';
import {
  type SubscriptionRow,
  type CustomerRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import { completedReport } from './completed-report.js';

export interface OwnershipClaim {
  projectId: string;
  appId: string | null;
  store: Store;
  environment: Environment;
  appUserId: string;
  /** Null if the request names no SDK. */
  device: Device | null;
  isRestore: boolean;
  requestId: string;
  /** With the current store state if the store was queried. */
  purchases: (PurchaseName | VerifiedPurchase)[];
  /** The store accounts that made the purchases, as reported by the store. */
  accounts?: StoreAccount[];
  /** Accounts from other parts of the request, which prove nothing about the purchases. */
  installedAccounts?: StoreAccount[];
}

export interface OwnershipQuestion {
  claim: Pick<OwnershipClaim, 'store' | 'environment' | 'isRestore' | 'purchases' | 'accounts'>;
  /** Null for an unknown customer. */
  poster: CustomerRow | null;
  /** The other customers who own posted purchases. */
  owners: CustomerRow[];
  behavior: TransferBehavior;
  nowMs: number;
}

/** Purchases move only between customers on the same clock; otherwise they would jump in time. */
export function shareTime(a: CustomerRow, b: CustomerRow): boolean {
  return a.testClockId === b.testClockId;
}

/**
 * The owner's subscriptions that the claimed purchases belong to, without duplicates. Those that they continue are not
 * claimed: they can belong to another customer.
 */
export function claimedSubscriptions(
  owner: CustomerRow,
  claim: OwnershipQuestion['claim'],
): SubscriptionRow[] {
  return [
    ...new Set(
      claim.purchases.flatMap(
        (purchase) => subscriptionOfPurchase(owner.subscriptions, claim, withoutContinued(purchase)) ?? [],
      ),
    ),
  ];
}

/** Uses the claim's store state if it is newer, because outdated data must not decide about access. */
function givesAccess(row: SubscriptionRow, claim: OwnershipQuestion['claim'], nowMs: number): boolean {
  let { facts } = subscriptionOf(row);
  for (const shown of claim.purchases) {
    if (!('kind' in shown) || shown.kind !== 'subscription' || shown.firstPostStands) continue;
    if (subscriptionOfPurchase([row], claim, shown) === undefined) continue;
    facts = factsWith(facts, completedReport(shown, facts), nowMs);
  }
  return deriveState(facts, nowMs).givesAccess;
}

/** Whether the customer has one of the accounts in the given app, or in any app if none is given. */
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
  return claim.purchases.some((purchase) => owns(owner, claim, withoutContinued(purchase)));
}

/**
 * Whether a customer counts as an owner because of the store account alone. If Apple cannot be queried, a receipt
 * contains only one purchase of its account, but the signed app transaction id still identifies the account. In every
 * store, a customer created by notifications is replaced by the first customer with a purchase of the account.
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

/** The subscriptions that decide: for Apple, all subscriptions of the account, even those missing in the receipt. */
function subscriptionsOfAccount(owner: CustomerRow, claim: OwnershipQuestion['claim']): SubscriptionRow[] {
  if (hasAppleAccount(owner, claim)) return owner.subscriptions.filter((row) => isOf(row, claim));
  return claimedSubscriptions(owner, claim);
}

export function isIdentified(customer: CustomerRow): boolean {
  return customer.aliases.some(({ isAnonymous }) => !isAnonymous);
}

export function ownersOf(claim: OwnershipQuestion['claim'], others: CustomerRow[]): CustomerRow[] {
  return others.filter((row) => ownsClaimed(row, claim) || ownsAccount(row, claim));
}

/** One decision per owner, in the order of `owners`. One `refuse` rejects the whole receipt. */
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
