import {
  type AddOnFact,
  type EndFacts,
  noSubscriptionFacts,
  type Register,
  type RenewalFact,
  type SubscriptionFacts,
} from '../../engine/index.js';
import type { SoldOnce } from '../sold-once.js';
import { type BoughtItem, oneTimeFacts } from './one-time-facts.js';
import { type PaddleHistory, timeOf, timeOrNull, withheldShares } from './paddle-objects.js';
import {
  isRunning,
  type Paid,
  type PaidPeriod,
  paidPeriods,
  pendingPeriod,
  unpaidPeriods,
} from './paid-periods.js';
import { paymentFacts } from './payment-facts.js';
import { hasKnownStatus } from './unknown-in-answers.js';

const HOUR_MS = 3_600_000;
/** Paddle moves the period first and collects the payment afterwards; until then, this is not a failure. */
export const COLLECTING_MS = 2 * HOUR_MS;
/** Paddle's longest retry period. Until then, the subscription's status decides. */
export const GRACE_MS = 30 * 24 * HOUR_MS;
/** Scheduled changes take effect this soon after the end of a period. */
const STOPS_WITHIN_MS = 24 * HOUR_MS;
const MAX_URL = 2_000;

/** State after the last paid period: nothing is due, a payment is being collected, or there is a billing issue. */
type Collection = 'none' | 'collecting' | 'failed';

function collectionOf(history: PaddleHistory, latest: PaidPeriod, at: number): Collection {
  const { status, current_billing_period: current } = history.subscription;
  const paidEndMs = latest.endMs ?? Infinity;
  if (status === 'past_due') return 'failed';
  if (status === 'active' || status === 'trialing') {
    const hasMoved =
      current !== null && timeOf(current.ends_at) > paidEndMs && !isRunning(latest, history.subscription);
    if (!hasMoved) return 'none';
    return at < paidEndMs + COLLECTING_MS ? 'collecting' : 'failed';
  }
  // If it is cancelled, an unpaid renewal may be the reason.
  const isUnpaid = unpaidPeriods(history).some(
    ({ billing_period: period }) => timeOf(period?.starts_at ?? '') >= paidEndMs - 1_000,
  );
  return isUnpaid ? 'failed' : 'none';
}

function stoppedAt({ subscription }: PaddleHistory): number | null {
  const { status, canceled_at: canceledAt, paused_at: pausedAt } = subscription;
  if (status === 'canceled') return timeOrNull(canceledAt);
  return status === 'paused' ? timeOrNull(pausedAt) : null;
}

/** The page where the customer cancels. Only web pages are passed on. */
function managementUrl({ subscription }: PaddleHistory): string | null {
  const url = subscription.management_urls?.cancel ?? null;
  return url !== null && url.startsWith('https://') && url.length <= MAX_URL ? url : null;
}

function renewalOf(history: PaddleHistory, latest: PaidPeriod, collection: Collection): RenewalFact {
  const { status, scheduled_change: change, canceled_at: canceledAt } = history.subscription;
  const isCanceled = status === 'canceled';
  const isPaused = status === 'paused';
  const paidEndMs = latest.endMs ?? 0;
  const isFailing = collection === 'failed' && !isCanceled;
  const resumeAt = isPaused && change?.action === 'resume' ? change.effective_at : change?.resume_at;
  const url = managementUrl(history);
  return {
    periodKey: latest.key,
    autoRenew: !isCanceled && change?.action !== 'cancel',
    cancelledAtMs: isCanceled ? timeOrNull(canceledAt) : null,
    nextProductId: null,
    inRetry: isFailing,
    billingIssueAtMs: null,
    graceUntilMs: isFailing && !isPaused ? paidEndMs + GRACE_MS : null,
    pauseScheduled: !isPaused && change?.action === 'pause',
    paused: isPaused,
    autoResumeAtMs: timeOrNull(resumeAt),
    cancelReason: isCanceled
      ? collection === 'failed'
        ? 'BILLING_ERROR'
        : 'UNSUBSCRIBE'
      : change?.action === 'cancel'
        ? 'UNSUBSCRIBE'
        : null,
    ended: isCanceled,
    ...(collection === 'collecting' && { collectingUntilMs: paidEndMs + COLLECTING_MS }),
    ...(url !== null && { managementUrl: url }),
  };
}

/**
 * If the subscription stopped long after the end in its transaction, the seller had moved the end, which Paddle no
 * longer shows.
 */
function movedEnd({ endMs }: PaidPeriod, stopMs: number): number | null {
  return endMs !== null && stopMs > endMs + STOPS_WITHIN_MS ? stopMs : endMs;
}

export interface PaddleFacts {
  facts: SubscriptionFacts;
  /** One-time charges next to the subscription. */
  bought: BoughtItem[];
  /** Keys of ended add-ons whose end is a guess. */
  guessedEnds: string[];
  /** Keys of periods that Paddle no longer shows in their former state. */
  pastKeys: string[];
}

function addOnFacts(
  { addOns }: Paid,
  history: PaddleHistory,
  latest: PaidPeriod,
  { autoRenew }: RenewalFact,
  at: number,
): Pick<PaddleFacts, 'guessedEnds'> & { facts: [string, Register<AddOnFact>][]; ends: [string, EndFacts][] } {
  const { subscription } = history;
  const held = new Set(subscription.items.map(({ price }) => price.id));
  const stopMs = stoppedAt(history);
  const guessedEnds: string[] = [];
  const ends: [string, EndFacts][] = [];
  const facts = addOns.map(({ key, priceId, ...value }): [string, Register<AddOnFact>] => {
    const isCurrent = value.chargeKey === latest.key;
    const isRemoved = isCurrent && isRunning(latest, subscription) && !held.has(priceId);
    if (isRemoved) guessedEnds.push(key);
    if (isCurrent) ends.push([key, { expired: { at, src: 'api', value: isRemoved ? at : stopMs } }]);
    return [key, { at, src: 'api', value: { ...value, renews: autoRenew && held.has(priceId) } }];
  });
  return { facts, ends, guessedEnds };
}

/** Facts that were true at `at`. Null until a period is paid for. */
export function subscriptionFacts(
  history: PaddleHistory,
  at: number,
  soldOnce: SoldOnce = () => false,
): PaddleFacts | null {
  const paid = paidPeriods(history, at);
  const isPending = paid.periods.length === 0;
  const reported = isPending ? pendingPeriod(history, at) : paid;
  const latest = reported?.periods.at(-1);
  if (!reported || !latest) return null;
  const said = <Value>(value: Value): Register<Value> => ({ at, src: 'api', value });
  const collection = isPending ? 'none' : collectionOf(history, latest, at);
  const stopMs = stoppedAt(history);
  if (stopMs !== null && collection === 'none') latest.endMs = movedEnd(latest, stopMs);
  const renewal = renewalOf(history, latest, collection);
  const beside = addOnFacts(reported, history, latest, renewal, at);
  const payments: ReturnType<typeof paymentFacts> = isPending
    ? { refunds: {}, extras: {}, bought: [] }
    : paymentFacts(reported, soldOnce, at);
  const isClear = hasKnownStatus(history.subscription);
  const graceMs = collection === 'failed' && latest.endMs !== null ? latest.endMs + GRACE_MS : null;
  const facts: SubscriptionFacts = {
    ...noSubscriptionFacts,
    // With an unknown status, the last known one stays, and access lasts until the paid end.
    renewal: isClear ? said(renewal) : null,
    ends: isClear
      ? { [latest.key]: { grace: said(graceMs), expired: said(stopMs) }, ...Object.fromEntries(beside.ends) }
      : {},
    periods: {},
    refunds: payments.refunds,
    ...(Object.keys(payments.extras).length > 0 && { extras: payments.extras }),
    pending: said(isPending),
  };
  for (const { key, transactions, ...value } of reported.periods) {
    const [main] = transactions;
    facts.periods[key] = said({ ...value, ...(main && withheldShares(main, value.price.amountMicros ?? 0)) });
  }
  if (beside.facts.length > 0) facts.addOns = Object.fromEntries(beside.facts);
  return {
    facts,
    bought: [...payments.bought, ...reported.charges.flatMap((charge) => oneTimeFacts(charge, at))],
    guessedEnds: beside.guessedEnds,
    pastKeys: reported.periods
      .filter((period) => !isRunning(period, history.subscription))
      .map(({ key }) => key),
  };
}
