import { addPeriods } from '../../kernel/index.js';
import {
  type SubscriptionFacts,
  noSubscriptionFacts,
  type Observation,
  type PeriodFact,
  type Price,
  type Register,
  type RenewalFact,
  viewSubscription,
} from '../../engine/index.js';
import type { StoreProduct } from '../contract.js';
import { paidPeriod } from './durations.js';

/** The product of the next period, and its price. */
export interface Terms {
  product: StoreProduct;
  price: Price;
}

export const willRenew: RenewalFact = {
  autoRenew: true,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
};

export function said<T>(at: number, value: T): Register<T> {
  return { at, src: 'signed', value };
}

function observed(atMs: number, facts: Partial<SubscriptionFacts>): Observation<SubscriptionFacts> {
  return { atMs, facts: { ...noSubscriptionFacts, ...facts } };
}

/**
 * The end of a period that starts at `startMs`. Consecutive periods of a product follow the calendar of the first: a
 * subscription that starts on a 31st renews on the last day of every month.
 */
function endOf(facts: SubscriptionFacts, { product }: Terms, startMs: number): number {
  const period = paidPeriod(product);
  let anchor = { atMs: startMs, count: 1 };
  let edgeMs = startMs;
  let behind = 0;
  for (const earlier of viewSubscription(facts).counting.toReversed()) {
    const { kind, storeProductId } = earlier;
    if (kind !== 'normal' || storeProductId !== product.storeIdentifier || earlier.endMs !== edgeMs) break;
    behind += 1;
    edgeMs = earlier.startMs;
    if (addPeriods(edgeMs, period, behind) === startMs) anchor = { atMs: edgeMs, count: behind + 1 };
  }
  return addPeriods(anchor.atMs, period, anchor.count);
}

export interface RenewalTerms {
  atMs: number;
  startMs: number;
  /** Computes the end as if the period started then. */
  followsMs?: number;
  isLast?: boolean;
}

/** Adds a further period: `token..0`, `token..1` and so on. */
export function renewed(
  facts: SubscriptionFacts,
  token: string,
  terms: Terms,
  { atMs, startMs, followsMs = startMs, isLast = false }: RenewalTerms,
): Observation<SubscriptionFacts> {
  const { latest, all } = viewSubscription(facts);
  const key = `${token}..${all.length - 1}`;
  const period: PeriodFact = {
    storeProductId: terms.product.storeIdentifier,
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: true,
    startMs,
    endMs: endOf(facts, terms, followsMs),
    price: terms.price,
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: key,
    country: latest.country,
  };
  return observed(atMs, {
    periods: { [key]: said(atMs, period) },
    renewal: said(atMs, {
      ...willRenew,
      periodKey: key,
      ...(isLast ? { autoRenew: false, cancelledAtMs: atMs } : {}),
    }),
  });
}

/** Changes facts about the time after the latest period; the rest stays. */
export function renewalSaid(
  facts: SubscriptionFacts,
  atMs: number,
  change: Partial<RenewalFact>,
): Observation<SubscriptionFacts> {
  const { renewal, latest } = viewSubscription(facts);
  const known = renewal.atMs === null ? willRenew : facts.renewal?.value;
  return observed(atMs, {
    renewal: said(atMs, { ...willRenew, ...known, periodKey: latest.key, ...change }),
  });
}

export function renewalTurnedOff(facts: SubscriptionFacts, atMs: number): Observation<SubscriptionFacts> {
  return renewalSaid(facts, atMs, { autoRenew: false, cancelledAtMs: atMs });
}

export function renewalTurnedOn(facts: SubscriptionFacts, atMs: number): Observation<SubscriptionFacts> {
  return renewalSaid(facts, atMs, { autoRenew: true, cancelledAtMs: null });
}

/** Reports a failed charge for the next period; `graceUntilMs` null means no grace. */
export function chargeFailed(
  facts: SubscriptionFacts,
  atMs: number,
  graceUntilMs: number | null,
): Observation<SubscriptionFacts> {
  return renewalSaid(facts, atMs, { inRetry: true, billingIssueAtMs: atMs, graceUntilMs });
}

export interface RefundTerms {
  /** Period key; defaults to the latest. */
  key?: string;
  /** `full` (the default) also ends access; `partial` only returns the money. */
  kind?: 'full' | 'partial';
  /** Defaults to now. */
  revokedAtMs?: number;
}

export function refunded(
  facts: SubscriptionFacts,
  atMs: number,
  { key = viewSubscription(facts).latest.key, kind = 'full', revokedAtMs = atMs }: RefundTerms = {},
): Observation<SubscriptionFacts> {
  const price = facts.prices?.[key]?.value ?? facts.periods[key]?.value.price;
  const amountMicros = kind === 'full' ? null : (price?.amountMicros ?? null);
  return observed(atMs, { refunds: { [key]: said(atMs, { revokedAtMs, kind, amountMicros }) } });
}

export function refundReversed(facts: SubscriptionFacts, atMs: number): Observation<SubscriptionFacts> {
  const { key } = viewSubscription(facts).latest;
  const refund = { revokedAtMs: null, kind: 'full', amountMicros: null } as const;
  return observed(atMs, { refunds: { [key]: said(atMs, refund) } });
}

/** Extends the latest period by the duration of its product. */
export function extended(
  facts: SubscriptionFacts,
  terms: Terms,
  atMs: number,
): Observation<SubscriptionFacts> {
  const { key, endMs } = viewSubscription(facts).latest;
  const fact = facts.periods[key]?.value;
  if (!fact || endMs === null) throw new RangeError('a period without an end cannot be extended');
  return observed(atMs, { periods: { [key]: said(atMs, { ...fact, endMs: endOf(facts, terms, endMs) }) } });
}

/** Ends the subscription at `endMs`, whatever was paid for. */
export function ended(facts: SubscriptionFacts, atMs: number, endMs: number): Observation<SubscriptionFacts> {
  const { key } = viewSubscription(facts).latest;
  const { facts: cancelled } = renewalSaid(facts, atMs, {
    autoRenew: false,
    cancelledAtMs: endMs,
    cancelReason: 'UNSUBSCRIBE',
    ended: true,
  });
  return observed(atMs, { ...cancelled, ends: { [key]: { expired: said(atMs, endMs) } } });
}
