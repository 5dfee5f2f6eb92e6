import {
  type CancelReason,
  type SubscriptionFacts,
  noSubscriptionFacts,
  type RenewalFact,
} from '../../engine/index.js';
import { nextSeats } from './seats.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import { periodKeyOf } from './transaction-facts.js';

/** Subscription statuses of the App Store Server API. */
export const appleStatus = { active: 1, expired: 2, billingRetry: 3, gracePeriod: 4, revoked: 5 } as const;

/** Expiration intents of the App Store. */
const intents: ReadonlyMap<number | undefined, CancelReason> = new Map([
  [1, 'UNSUBSCRIBE'],
  [2, 'BILLING_ERROR'],
  [3, 'PRICE_INCREASE'],
  [4, 'UNKNOWN'],
  [5, 'UNKNOWN'],
]);

/** Price increase statuses of the App Store. */
const priceIncreases: ReadonlyMap<number | undefined, RenewalFact['priceIncrease']> = new Map([
  [0, 'pending'],
  [1, 'accepted'],
]);

/** Auto-renew statuses of the App Store, also of commitments. */
const autoRenewals: ReadonlyMap<number | undefined, boolean> = new Map([
  [0, false],
  [1, true],
]);

export interface RenewalHints {
  /** The transaction of the period being renewed; absent if it is uncertain. */
  latest?: SignedTransaction;
  /** A status of the Server API. */
  status?: number;
  /** Facts that a notification adds. */
  overrides?: Partial<RenewalFact>;
}

/** Null if the App Store reports no reason, or one that is not known. */
export function reasonOf({ expirationIntent }: SignedRenewal): CancelReason | null {
  return intents.get(expirationIntent) ?? null;
}

/** Null if the App Store reports no price increase, or a status that is not known. */
export function priceIncreaseOf({ priceIncreaseStatus }: SignedRenewal): RenewalFact['priceIncrease'] {
  return priceIncreases.get(priceIncreaseStatus) ?? null;
}

/** The monthly payments of a longer commitment continue until its end, even after a cancellation. */
function commitmentOf(renewal: SignedRenewal, latest: SignedTransaction | undefined) {
  const autoRenew = autoRenewals.get(renewal.commitmentInfo?.commitmentAutoRenewStatus);
  const endsAtMs = latest?.commitmentInfo?.commitmentExpiresDate ?? null;
  return autoRenew === undefined || endsAtMs === null ? null : { autoRenew, endsAtMs };
}

export function renewalFact(
  renewal: SignedRenewal,
  { latest, status, overrides = {} }: RenewalHints,
): RenewalFact {
  const hasBillingIssue =
    renewal.isInBillingRetryPeriod === true ||
    status === appleStatus.billingRetry ||
    status === appleStatus.gracePeriod;
  const isOver = status === appleStatus.expired || status === appleStatus.revoked;
  const inRetry = overrides.inRetry ?? (hasBillingIssue && !isOver);
  const commitment = commitmentOf(renewal, latest);
  const reason = reasonOf(renewal);
  const seats = nextSeats(renewal);
  return {
    ...(latest && { periodKey: periodKeyOf(latest) }),
    autoRenew: commitment?.autoRenew ?? renewal.autoRenewStatus === 1,
    cancelledAtMs: null,
    nextProductId: renewal.autoRenewProductId,
    billingIssueAtMs: null,
    graceUntilMs: inRetry ? (renewal.gracePeriodExpiresDate ?? null) : null,
    pauseScheduled: false,
    paused: false,
    autoResumeAtMs: null,
    cancelReason: reason,
    ended: isOver || (reason !== null && !inRetry),
    priceIncrease: priceIncreaseOf(renewal),
    ...(seats && { nextSeats: seats }),
    ...(commitment && { commitmentEndsAtMs: commitment.endsAtMs }),
    ...overrides,
    inRetry,
  };
}

/**
 * Converts the renewal to facts. The end of grace is stored separately, because it still counts after the billing issue
 * is resolved. An auto-renew status that is not known leaves everything known about the renewal unchanged.
 */
export function renewalFacts(renewal: SignedRenewal, hints: RenewalHints): SubscriptionFacts {
  if (!autoRenewals.has(renewal.autoRenewStatus)) return noSubscriptionFacts;
  const at = renewal.signedDate;
  const value = renewalFact(renewal, hints);
  const { gracePeriodExpiresDate } = renewal;
  const isGrace = hints.latest !== undefined && value.inRetry && gracePeriodExpiresDate !== undefined;
  return {
    ...noSubscriptionFacts,
    renewal: { at, src: 'signed', value },
    ...(isGrace && {
      ends: {
        [periodKeyOf(hints.latest as SignedTransaction)]: {
          grace: { at, src: 'signed' as const, value: gracePeriodExpiresDate },
        },
      },
    }),
  };
}
