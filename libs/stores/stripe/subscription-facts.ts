import type Stripe from 'stripe';
import {
  type CancelReason,
  type ChainFacts,
  type EndFacts,
  noChainFacts,
  type PeriodFact,
  type RefundFact,
  type Register,
  type RenewalFact,
} from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { microsOf } from './amounts.js';
import { moneyBack } from './refunds.js';
import { idOf, paymentsOf, type StripeLife } from './stripe-api.js';

const SECOND_MS = 1_000;

interface PaidPeriod extends PeriodFact {
  key: string;
  endMs: number;
  /** Everything that was paid within it: its own invoice, and those for changes in the middle. */
  invoices: Stripe.Invoice[];
}

const msOf = (seconds: number): number => seconds * SECOND_MS;

/** The line that bills a period in advance; one for used quantities bills the past, one for a change a part. */
function periodLine({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | null {
  const candidates = lines.data.filter(
    ({ parent }) =>
      parent?.type === 'subscription_item_details' && parent.subscription_item_details?.proration === false,
  );
  candidates.sort((a, b) => b.period.end - a.period.end);
  return candidates[0] ?? null;
}

function periodOf(invoice: Stripe.Invoice, trialEnd: number | null): PaidPeriod | null {
  const line = periodLine(invoice);
  if (line === null || invoice.id === undefined) return null;
  const { start, end } = line.period;
  const { product, price } = line.pricing?.price_details ?? {};
  const isTrial = invoice.amount_paid === 0 && trialEnd !== null && start < trialEnd;
  return {
    key: invoice.id,
    storeProductId: product ?? '',
    planId: idOf(price),
    offerCode: null,
    kind: isTrial ? 'trial' : 'normal',
    isRenewal: invoice.billing_reason !== 'subscription_create',
    startMs: msOf(start),
    endMs: msOf(end),
    price: { amountMicros: 0, currency: invoice.currency.toUpperCase(), source: 'store' },
    quantity: line.quantity ?? 1,
    ownership: 'purchased',
    storeTransactionId: invoice.id,
    country: alpha2Country(invoice.customer_address?.country),
    invoices: [invoice],
  };
}

function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem | null {
  return items.data[0] ?? null;
}

/** A trial that began without an invoice. */
function bareTrial(subscription: Stripe.Subscription): PaidPeriod[] {
  const item = itemOf(subscription);
  if (subscription.status !== 'trialing' || !item) return [];
  return [
    {
      key: `${subscription.id}.trial`,
      storeProductId: idOf(item.price.product) ?? '',
      planId: item.price.id,
      offerCode: null,
      kind: 'trial',
      isRenewal: false,
      startMs: msOf(item.current_period_start),
      endMs: msOf(item.current_period_end),
      price: { amountMicros: 0, currency: subscription.currency.toUpperCase(), source: 'store' },
      quantity: item.quantity ?? 1,
      ownership: 'purchased',
      storeTransactionId: subscription.id,
      country: null,
      invoices: [],
    },
  ];
}

/** The running period is what the subscription says by now: another product, a trial that was made longer. */
function asOfNow(latest: PaidPeriod, subscription: Stripe.Subscription): PaidPeriod {
  const item = itemOf(subscription);
  if (!item || subscription.ended_at !== null || msOf(item.current_period_start) !== latest.startMs)
    return latest;
  const { price, current_period_end: end } = item;
  return { ...latest, storeProductId: idOf(price.product) ?? '', planId: price.id, endMs: msOf(end) };
}

/** All periods that were paid for, by start. What a change in the middle cost belongs to the period it changed. */
function paidPeriods({ subscription, invoices }: StripeLife): PaidPeriod[] {
  const paid = invoices.filter(({ status }) => status === 'paid');
  const periods = paid.flatMap((invoice) => periodOf(invoice, subscription.trial_end) ?? []);
  if (periods.length === 0) periods.push(...bareTrial(subscription));
  periods.sort((a, b) => a.startMs - b.startMs);
  for (const invoice of paid.filter((candidate) => periodLine(candidate) === null)) {
    const atMs = msOf(invoice.created);
    const period = periods.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    period?.invoices.push(invoice);
  }
  for (const period of periods) {
    const total = period.invoices.reduce((sum, { amount_paid: amount }) => sum + amount, 0);
    period.price = { ...period.price, amountMicros: microsOf(total, period.price.currency ?? '') };
  }
  const latest = periods.at(-1);
  if (latest) periods[periods.length - 1] = asOfNow(latest, subscription);
  return periods;
}

/** Null: nothing was ever given back. */
function refundOf({ invoices, price }: PaidPeriod, charges: StripeLife['charges']): RefundFact | null {
  const own = invoices.flatMap(paymentsOf).flatMap((intent) => charges.get(intent) ?? []);
  const back = moneyBack(own);
  if (back === null) return null;
  const { amountMicros, lastAtMs } = back;
  if (amountMicros === 0) return { revokedAtMs: null, kind: 'full', amountMicros: null };
  const isFull = amountMicros >= (price.amountMicros ?? 0);
  return {
    revokedAtMs: lastAtMs,
    kind: isFull ? 'full' : 'partial',
    amountMicros: isFull ? null : amountMicros,
  };
}

/** Stripe's reasons for a cancellation. */
const reasons: Record<string, CancelReason> = {
  cancellation_requested: 'UNSUBSCRIBE',
  payment_failed: 'BILLING_ERROR',
  payment_disputed: 'CUSTOMER_SUPPORT',
};

function endsOnItsOwn(subscription: Stripe.Subscription): boolean {
  const { cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd } = subscription;
  const end = itemOf(subscription)?.current_period_end ?? 0;
  return atPeriodEnd || (cancelAt !== null && cancelAt <= end);
}

function cancelReasonOf(subscription: Stripe.Subscription): CancelReason | null {
  const { status, cancellation_details: details } = subscription;
  if (status === 'canceled') return reasons[details?.reason ?? ''] ?? 'UNKNOWN';
  return endsOnItsOwn(subscription) ? 'UNSUBSCRIBE' : null;
}

/** What a schedule puts in place of the product after the running phase. */
function nextProductOf({ schedule }: Stripe.Subscription): string | null {
  if (typeof schedule !== 'object' || schedule === null) return null;
  const end = schedule.current_phase?.end_date;
  const next = schedule.phases.find(({ start_date: start }) => start === end);
  const price = next?.items[0]?.price;
  return typeof price === 'object' && 'product' in price ? idOf(price.product) : null;
}

/** Until when Stripe tries again to collect what is open; null: it does not. */
function nextAttemptMs(invoices: Stripe.Invoice[]): number | null {
  const attempt = invoices.find(({ status }) => status === 'open')?.next_payment_attempt ?? null;
  return attempt === null ? null : msOf(attempt);
}

function renewalOf({ subscription, invoices }: StripeLife, latest: PaidPeriod): RenewalFact {
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
 * While a renewal is being collected (an hour as a draft, days with a bank transfer), the subscription is active and
 * its new period not paid for yet: access goes on for as long as Stripe calls it active. When Stripe stops trying,
 * it is over now at the latest; the end of grace that was told before stands.
 */
function endsOf({ subscription, invoices }: StripeLife, latest: PaidPeriod, at: number): EndFacts {
  const { status, pause_collection: pause, ended_at: endedAt } = subscription;
  const said = (value: number | null): Register<number | null> => ({ at, src: 'api', value });
  if (endedAt !== null) return { expired: said(msOf(endedAt)) };
  const attemptMs = status === 'past_due' ? nextAttemptMs(invoices) : null;
  if (status === 'unpaid' || (status === 'past_due' && attemptMs === null)) return { expired: said(at) };
  const endMs = msOf(itemOf(subscription)?.current_period_end ?? 0);
  const isActive = (status === 'active' || status === 'trialing') && pause === null;
  const graceMs = isActive && endMs > latest.endMs ? endMs : attemptMs;
  return { grace: said(graceMs), expired: said(null) };
}

/**
 * What Stripe says of a subscription, as facts that were true at `at`. Null while nothing of it was paid for, nor
 * given on trial.
 */
export function subscriptionFacts(life: StripeLife, at: number): ChainFacts | null {
  const periods = paidPeriods(life);
  const latest = periods.at(-1);
  if (!latest) return null;
  const facts: ChainFacts = {
    ...noChainFacts,
    renewal: { at, src: 'api', value: renewalOf(life, latest) },
    ends: { [latest.key]: endsOf(life, latest, at) },
    periods: {},
    refunds: {},
  };
  for (const { key, invoices, ...value } of periods) {
    facts.periods[key] = { at, src: 'api', value };
    const refund = refundOf({ key, invoices, ...value }, life.charges);
    if (refund) facts.refunds[key] = { at, src: 'api', value: refund };
  }
  return facts;
}
