import type Stripe from 'stripe';
import {
  type CancelReason,
  type SubscriptionFacts,
  type EndFacts,
  noSubscriptionFacts,
  type PeriodFact,
  type Register,
  type RenewalFact,
} from '../../engine/index.js';
import type { SoldOnce } from '../sold-once.js';
import { msOf } from './amounts.js';
import type { BoughtItem } from './checkout-facts.js';
import { isRunning, type PaidAddOn, type PaidPeriod, paidPeriods } from './paid-periods.js';
import { paymentFacts } from './payment-facts.js';
import { idOf, type StripeHistory } from './stripe-api.js';
import { baseItem, otherItems, removedAt } from './subscription-items.js';
import { hasKnownStatus } from './unknown-in-answers.js';
import { hasNoInvoice } from './unbilled-periods.js';

const reasons: Record<string, CancelReason> = {
  cancellation_requested: 'UNSUBSCRIBE',
  payment_failed: 'BILLING_ERROR',
  payment_disputed: 'CUSTOMER_SUPPORT',
};

function endsOnItsOwn(subscription: Stripe.Subscription): boolean {
  const { cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd } = subscription;
  const end = baseItem(subscription)?.current_period_end ?? 0;
  return atPeriodEnd || (cancelAt !== null && cancelAt <= end);
}

function cancelReasonOf(subscription: Stripe.Subscription): CancelReason | null {
  const { status, cancellation_details: details } = subscription;
  if (status === 'canceled') return reasons[details?.reason ?? ''] ?? 'UNKNOWN';
  return endsOnItsOwn(subscription) ? 'UNSUBSCRIBE' : null;
}

/** The product that a schedule sets for the time after the current period. A phase may last several periods. */
function nextProductOf(subscription: Stripe.Subscription): string | null {
  const { schedule } = subscription;
  if (typeof schedule !== 'object' || schedule === null) return null;
  const end = schedule.current_phase?.end_date;
  const periodEnd = baseItem(subscription)?.current_period_end;
  if (end === undefined || periodEnd === undefined || end > periodEnd) return null;
  const next = schedule.phases.find(({ start_date: start }) => start === end);
  const price = next?.items[0]?.price;
  return typeof price === 'object' && 'product' in price ? idOf(price.product) : null;
}

/** When Stripe retries an open invoice; null if it does not. */
function nextAttemptMs(invoices: Stripe.Invoice[]): number | null {
  const attempt = invoices.find(({ status }) => status === 'open')?.next_payment_attempt ?? null;
  return attempt === null ? null : msOf(attempt);
}

function renewalOf({ subscription, invoices }: StripeHistory, latest: PaidPeriod): RenewalFact {
  const { status, pause_collection: pause, canceled_at: canceledAt } = subscription;
  const isPaused = status === 'paused';
  return {
    periodKey: latest.key,
    autoRenew: status !== 'canceled' && !endsOnItsOwn(subscription),
    cancelledAtMs: canceledAt === null ? null : msOf(canceledAt),
    nextProductId: nextProductOf(subscription),
    inRetry: status === 'past_due' || status === 'unpaid',
    billingIssueAtMs: null,
    graceUntilMs: status === 'past_due' ? nextAttemptMs(invoices) : null,
    pauseScheduled: !isPaused && pause !== null,
    paused: isPaused,
    autoResumeAtMs: pause?.resumes_at ? msOf(pause.resumes_at) : null,
    cancelReason: cancelReasonOf(subscription),
    ended: status === 'canceled',
  };
}

/**
 * While a renewal is being collected (an hour as a draft, days with a bank transfer), the subscription is active but
 * its new period is not paid yet: access continues as long as Stripe reports it as active. When Stripe stops retrying,
 * access ends now at the latest; an end of grace reported before remains valid.
 */
function endsOf(
  { subscription, invoices }: StripeHistory,
  latest: PaidPeriod | PaidAddOn,
  item: Stripe.SubscriptionItem | null,
  at: number,
): EndFacts {
  const { status, pause_collection: pause, ended_at: endedAt } = subscription;
  const said = (value: number | null): Register<number | null> => ({ at, src: 'api', value });
  if (endedAt !== null) return { expired: said(msOf(endedAt)) };
  const attemptMs = status === 'past_due' ? nextAttemptMs(invoices) : null;
  if (status === 'unpaid' || (status === 'past_due' && attemptMs === null)) return { expired: said(at) };
  const endMs = msOf(item?.current_period_end ?? 0);
  const isActive = (status === 'active' || status === 'trialing') && pause === null;
  const graceMs = isActive && endMs > latest.endMs ? endMs : attemptMs;
  return { grace: said(graceMs), expired: said(null) };
}

/**
 * The end of the last paid period of each add-on. An invoice shows when a former item was removed, else the time is a
 * guess. An add-on that had already expired needs no end.
 */
function addOnEnds(
  history: StripeHistory,
  addOns: PaidAddOn[],
  at: number,
): { ends: Record<string, EndFacts>; guessed: string[] } {
  const items = otherItems(history.subscription);
  const goneByMs = Math.min(at, msOf(history.subscription.ended_at ?? Infinity));
  const ends: Record<string, EndFacts> = {};
  const guessed: string[] = [];
  for (const [index, addOn] of addOns.entries()) {
    const { key, itemId, startMs, endMs } = addOn;
    if (addOns.slice(index + 1).some((later) => later.itemId === itemId)) continue;
    const item = items.find(({ id }) => id === itemId) ?? null;
    if (item) {
      ends[key] = endsOf(history, addOn, item, at);
      continue;
    }
    if (endMs <= goneByMs) continue;
    const removedMs = msOf(removedAt(history.invoices, itemId) ?? -Infinity);
    const isReported = removedMs >= startMs;
    ends[key] = { expired: { at, src: 'api', value: isReported ? removedMs : goneByMs } };
    if (!isReported) guessed.push(key);
  }
  return { ends, guessed };
}

export interface StripeFacts {
  facts: SubscriptionFacts;
  /** One-time items of the same invoices. */
  bought: BoughtItem[];
  /** Keys of ended periods whose end is a guess. */
  guessedEnds: string[];
  /** Keys of periods whose product may have changed before their end, which Stripe no longer shows. */
  pastKeys: string[];
}

function factOf(period: PaidPeriod): PeriodFact {
  const fact: PeriodFact & Partial<PaidPeriod> = { ...period };
  for (const key of ['key', 'invoices', 'line'] as const) delete fact[key];
  return fact;
}

/** The last period that started before the subscription ended; later ones were paid for in vain. */
function latestOf(periods: PaidPeriod[], { ended_at: endedAt }: Stripe.Subscription): PaidPeriod | undefined {
  if (endedAt === null) return periods.at(-1);
  return (
    periods.findLast(({ startMs, paidAtMs }) => paidAtMs === undefined || startMs < msOf(endedAt)) ??
    periods[0]
  );
}

/** Facts that were true at `at`. Null until a period is paid for or free. */
export function subscriptionFacts(
  history: StripeHistory,
  at: number,
  soldOnce: SoldOnce = () => false,
): StripeFacts | null {
  const { subscription } = history;
  const paid = paidPeriods(history, at);
  const { periods, addOns } = paid;
  const latest = latestOf(periods, subscription);
  if (!latest) return null;
  const renewal = renewalOf(history, latest);
  const base = endsOf(history, latest, baseItem(subscription), at);
  const beside = addOnEnds(history, addOns, at);
  const isClear = hasKnownStatus(subscription);
  const later = periods.slice(periods.indexOf(latest) + 1).map(({ key }) => [key, base] as const);
  const payments = paymentFacts(history, paid, soldOnce, at);
  const facts: SubscriptionFacts = {
    ...noSubscriptionFacts,
    // With an unknown status, the last known one stays, and access lasts until the paid end.
    renewal: isClear ? { at, src: 'api', value: renewal } : null,
    ends: isClear ? { [latest.key]: base, ...Object.fromEntries(later), ...beside.ends } : {},
    periods: {},
    refunds: payments.refunds,
    ...(Object.keys(payments.extras).length > 0 && { extras: payments.extras }),
  };
  for (const period of periods) facts.periods[period.key] = { at, src: 'api', value: factOf(period) };
  const items = new Set(otherItems(subscription).map(({ id }) => id));
  const besides = addOns.map(({ key, itemId, ...value }) => {
    const renews = renewal.autoRenew && items.has(itemId ?? '');
    return [key, { at, src: 'api', value: { ...value, renews } }] as const;
  });
  if (besides.length > 0) facts.addOns = Object.fromEntries(besides);
  const seenNow = Object.entries(facts.ends ?? {}).flatMap(([key, { expired }]) =>
    expired?.value === at ? key : [],
  );
  const pastKeys = periods
    .filter((period) => period === latest || hasNoInvoice(period))
    .flatMap((period) => (isRunning(period, baseItem(subscription)) ? [] : period.key));
  return {
    facts,
    bought: payments.bought,
    guessedEnds: [...new Set([...seenNow, ...beside.guessed])],
    pastKeys,
  };
}
