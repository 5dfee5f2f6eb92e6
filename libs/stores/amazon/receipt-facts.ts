import {
  type CancelReason,
  type SubscriptionFacts,
  type EndFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OneTimeFacts,
  type PeriodKind,
  type Price,
  type RenewalFact,
  unknownPrice,
} from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import type { AmazonReceipt } from './receipt-service.js';
import { hasKnownType } from './unknown-in-answers.js';
import { type TermFacts, termsOf } from './terms.js';
import { termKey } from './missing-dates.js';

/** The price from the device: Amazon never reports one. */
export type DevicePrice = { amountMicros: number; currency: string } | null;

const reasons: Record<number, CancelReason> = { 1: 'UNSUBSCRIBE', 2: 'BILLING_ERROR' };
const REPLACED = 4;

/** Subscriptions are sold by term, and one product can have several terms. */
export function productOf({ productType, termSku, productId }: AmazonReceipt): string {
  return productType === 'SUBSCRIPTION' ? (termSku ?? productId) : productId;
}

function isOver({ cancelDate }: AmazonReceipt, at: number): boolean {
  return cancelDate !== null && cancelDate <= at;
}

/** The sandbox always sends an end of grace that equals the renewal date. */
function graceOf({ gracePeriodEndDate: graceMs, renewalDate }: AmazonReceipt, at: number): number | null {
  return graceMs !== null && graceMs > at && graceMs > (renewalDate ?? 0) ? graceMs : null;
}

/** If Amazon does not report auto-renewal, keep the last known value, initially true. */
function renewsNow({ autoRenewing, cancelDate }: AmazonReceipt, { renewal }: SubscriptionFacts): boolean {
  if (autoRenewing !== null) return autoRenewing;
  return renewal === null || renewal.value.ended === true ? cancelDate === null : renewal.value.autoRenew;
}

function renewalOf(receipt: AmazonReceipt, at: number, known: SubscriptionFacts): RenewalFact {
  const { deferredSku, cancelReason } = receipt;
  const autoRenewing = renewsNow(receipt, known);
  const ended = isOver(receipt, at);
  const graceMs = ended ? null : graceOf(receipt, at);
  return {
    // During grace Amazon still retries the charge.
    autoRenew: !ended && (autoRenewing || graceMs !== null),
    cancelledAtMs: null,
    nextProductId: deferredSku,
    inRetry: graceMs !== null,
    billingIssueAtMs: null,
    graceUntilMs: graceMs,
    pauseScheduled: false,
    paused: false,
    autoResumeAtMs: null,
    cancelReason: ended ? (reasons[cancelReason ?? 0] ?? null) : autoRenewing ? null : 'UNSUBSCRIBE',
    ended,
  };
}

/**
 * An introductory price applies to the first paid terms. Once it is over, Amazon no longer reports how many there were.
 */
function paidKind(receipt: AmazonReceipt, known: SubscriptionFacts, key: string): PeriodKind {
  const wasIntroductory = known.periods[key]?.value.kind === 'intro';
  return receipt.atIntroductoryPrice || wasIntroductory ? 'intro' : 'normal';
}

/** Amazon's report on a subscription as facts that were true at `at`. `known` are the facts so far. */
export function subscriptionFacts(
  receipt: AmazonReceipt & TermFacts,
  price: DevicePrice,
  at: number,
  known: SubscriptionFacts,
): SubscriptionFacts {
  const terms = termsOf(receipt);
  const { cancelDate, cancelReason, countryCode, receiptId } = receipt;
  const replacedAtMs = isOver(receipt, at) && cancelReason === REPLACED ? cancelDate : null;
  const facts: SubscriptionFacts = {
    ...noSubscriptionFacts,
    periods: {},
    ends: {},
    renewal: { at, src: 'api', value: renewalOf(receipt, at, known) },
    replaced:
      replacedAtMs === null ? null : { at, src: 'api', value: { byStoreKey: null, atMs: replacedAtMs } },
  };
  const ends: Record<string, EndFacts> = {};
  const firstPaid = terms.findIndex(({ isTrial }) => !isTrial);
  const currency = price?.currency ?? null;
  terms.forEach((term, index) => {
    const key = termKey(receipt, term.startMs);
    const paid: Price = price && index === firstPaid ? { ...price, source: 'device' } : unknownPrice;
    facts.periods[key] = {
      at,
      src: 'api',
      value: {
        storeProductId: productOf(receipt),
        planId: null,
        offerCode: null,
        kind: term.isTrial ? 'trial' : paidKind(receipt, known, key),
        isRenewal: index > 0,
        startMs: term.startMs,
        endMs: term.endMs,
        price: term.isTrial ? { amountMicros: 0, currency, source: 'store' } : paid,
        quantity: 1,
        ownership: 'purchased',
        storeTransactionId: receiptId,
        country: alpha2Country(countryCode),
      },
    };
    if (cancelDate !== null) ends[key] = { expired: { at, src: 'api', value: cancelDate } };
  });
  const latest = terms.at(-1);
  // During a trial, the device shows the price of the first term after it.
  if (price && latest?.isTrial) {
    const value: Price = { ...price, source: 'device' };
    facts.prices = { [termKey(receipt, latest.endMs)]: { at, src: 'device', value } };
  }
  if (latest && cancelDate === null) {
    ends[termKey(receipt, latest.startMs)] = {
      grace: { at, src: 'api', value: graceOf(receipt, at) },
      expired: { at, src: 'api', value: null },
    };
  }
  // A term that Amazon cut short may be known and no longer counts.
  const next = latest && cancelDate !== null ? termKey(receipt, latest.endMs) : null;
  if (next !== null) ends[next] = { expired: { at, src: 'api', value: cancelDate } };
  return { ...facts, ends };
}

/** Nothing shows what a purchase of an unknown type cost, or how long it lasts. */
export function oneTimeFacts(receipt: AmazonReceipt, price: DevicePrice, at: number): OneTimeFacts {
  const { purchaseDate, cancelDate, receiptId, countryCode } = receipt;
  const quantity = receipt.quantity ?? 1;
  return {
    ...noOneTimeFacts,
    purchase: {
      at,
      src: 'api',
      value: {
        storeProductId: productOf(receipt),
        purchasedAtMs: purchaseDate,
        expiresAtMs: null,
        ...(!hasKnownType(receipt) && { isTypeUnknown: true as const }),
        price: price && hasKnownType(receipt) ? { ...price, source: 'device' } : unknownPrice,
        quantity,
        ownership: 'purchased',
        storeTransactionId: receiptId,
        country: alpha2Country(countryCode),
      },
    },
    refund: cancelDate === null ? null : { at, src: 'api', value: { refundedAtMs: cancelDate, quantity } },
  };
}
