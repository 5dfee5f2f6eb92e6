import type { CancelReason, RenewalFact } from '../../engine/index.js';
import { type SubscriptionItem, type SubscriptionPurchase, timeOf } from './play-resources.js';
import { deferredItem, playProductName } from './subscription-report.js';
import { cancelSurveyOf } from './cancel-survey.js';

/** State names without Google's prefix. */
export type PlayState =
  | 'ACTIVE'
  | 'CANCELED'
  | 'IN_GRACE_PERIOD'
  | 'ON_HOLD'
  | 'PAUSED'
  | 'EXPIRED'
  | 'PENDING'
  | 'PENDING_PURCHASE_CANCELED'
  /** Unknown to this server. */
  | 'OTHER';

const PREFIX = 'SUBSCRIPTION_STATE_';
const states = new Set<string>([
  'ACTIVE',
  'CANCELED',
  'IN_GRACE_PERIOD',
  'ON_HOLD',
  'PAUSED',
  'EXPIRED',
  'PENDING',
  'PENDING_PURCHASE_CANCELED',
]);

export function stateOf({ subscriptionState = '' }: SubscriptionPurchase): PlayState {
  const name = subscriptionState.replace(PREFIX, '');
  return states.has(name) ? (name as PlayState) : 'OTHER';
}

export function reportsPaidEnd(state: PlayState): boolean {
  return state === 'ACTIVE' || state === 'CANCELED';
}

/** States whose reported end is unreliable, with the degree. After a hold, it is the end of the hold. */
const weakness: Partial<Record<PlayState, number>> = { IN_GRACE_PERIOD: 1, ON_HOLD: 2, EXPIRED: 3 };

/**
 * Dates a period whose state does not report the paid end: earlier than anything read while it ran, so that a later
 * state never moves an end reported before.
 */
export function weakReportAt(state: PlayState, ...times: number[]): number {
  return Math.min(...times) - (weakness[state] ?? 0);
}

function priceIncreaseOf({ autoRenewingPlan }: SubscriptionItem): RenewalFact['priceIncrease'] {
  const { priceChangeDetails: change, priceStepUpConsentDetails: stepUp } = autoRenewingPlan ?? {};
  const consent = stepUp?.state?.replace('CONSENT_PERIOD_', '');
  if (consent === 'PENDING') return 'pending';
  if (consent === 'CONFIRMED' || consent === 'COMPLETED') return 'accepted';
  if (change?.priceChangeMode !== 'PRICE_INCREASE') return null;
  if (change.priceChangeState === 'OUTSTANDING') return 'pending';
  const isAccepted = change.priceChangeState === 'CONFIRMED' || change.priceChangeState === 'APPLIED';
  return isAccepted ? 'accepted' : null;
}

function cancelReasonOf(
  { canceledStateContext: context }: SubscriptionPurchase,
  item: SubscriptionItem,
  state: PlayState,
): CancelReason | null {
  if (context?.userInitiatedCancellation) return 'UNSUBSCRIBE';
  if (context?.developerInitiatedCancellation) return 'DEVELOPER_INITIATED';
  // A prepaid plan does not renew, so it cannot be cancelled.
  if (context?.systemInitiatedCancellation && item.prepaidPlan === undefined) {
    return priceIncreaseOf(item) === 'pending' ? 'PRICE_INCREASE' : 'BILLING_ERROR';
  }
  return state === 'CANCELED' ? 'UNKNOWN' : null;
}

export function renewalFact(
  purchase: SubscriptionPurchase,
  item: SubscriptionItem,
  periodKey: string,
): RenewalFact {
  const state = stateOf(purchase);
  const { autoRenewingPlan } = item;
  const next = deferredItem(purchase);
  const willRenew = [item, next].some((one) => one?.autoRenewingPlan?.autoRenewEnabled === true);
  const isHeldOn = state === 'IN_GRACE_PERIOD' || state === 'ON_HOLD' || state === 'PAUSED';
  const willEnd = autoRenewingPlan?.installmentDetails?.pendingCancellation !== undefined;
  const byCustomer = purchase.canceledStateContext?.userInitiatedCancellation;
  return {
    periodKey,
    autoRenew: isHeldOn || (state === 'ACTIVE' && willRenew && !willEnd),
    cancelledAtMs: timeOf(byCustomer?.cancelTime),
    nextProductId: next && playProductName(next),
    inRetry: state === 'IN_GRACE_PERIOD' || state === 'ON_HOLD',
    billingIssueAtMs: null,
    graceUntilMs: state === 'IN_GRACE_PERIOD' ? timeOf(item.expiryTime) : null,
    pauseScheduled: false,
    paused: state === 'PAUSED',
    autoResumeAtMs: timeOf(purchase.pausedStateContext?.autoResumeTime),
    cancelReason: cancelReasonOf(purchase, item, state),
    ...(byCustomer && { cancelSurvey: cancelSurveyOf(byCustomer) }),
    ended: state === 'EXPIRED',
    priceIncrease: priceIncreaseOf(item),
  };
}
