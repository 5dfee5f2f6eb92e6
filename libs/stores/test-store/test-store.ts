import { addPeriods, parsePeriod } from '../../kernel/index.js';
import {
  type ChainFacts,
  type HintFact,
  noChainFacts,
  noOneTimeFacts,
  type Observation,
  type OneTimeFacts,
  type PeriodFact,
  type Price,
  type Register,
} from '../../engine/index.js';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  StoreProduct,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';

const TOKEN = /^test_(\d{10,16})_(.{1,200})$/s;
const FUTURE_TOLERANCE_MS = 24 * 3_600_000;
const DEFAULT_DURATION = 'P1M';

function refusal(code: 7103 | 7226, message: string): VerificationFailure {
  return { failure: 'permanent', code, message };
}

/**
 * Purchase time of a Test Store token `test_<epoch ms>_<id>`; null for any other text and for a time more
 * than 24 hours ahead. A smaller lead is a wrong device clock and counts as now.
 */
export function testStorePurchaseTime(token: string, nowMs: number): number | null {
  const match = TOKEN.exec(token);
  if (!match) return null;
  const purchasedAtMs = Number(match[1]);
  if (purchasedAtMs > nowMs + FUTURE_TOLERANCE_MS) return null;
  return Math.min(purchasedAtMs, nowMs);
}

function priceOf(receipt: PostedReceipt, product: StoreProduct | undefined): Price {
  if (receipt.price) return { ...receipt.price, source: 'device' };
  if (product?.price) return { ...product.price, source: 'catalog' };
  return { amountMicros: null, currency: null, source: 'unknown' };
}

function hintsOf(receipt: PostedReceipt, atMs: number): Register<HintFact> {
  return { at: atMs, src: 'device', value: { presentedOfferingId: receipt.presentedOfferingId } };
}

function chainObservation(
  receipt: PostedReceipt,
  product: StoreProduct,
  purchasedAtMs: number,
  context: StoreContext,
): Observation<ChainFacts> {
  const trial = context.hadProduct(product.storeIdentifier) ? null : product.trialDuration;
  const duration =
    parsePeriod(trial ?? product.duration ?? DEFAULT_DURATION) ?? parsePeriod(DEFAULT_DURATION);
  const endMs = duration ? addPeriods(purchasedAtMs, duration) : null;
  const price = priceOf(receipt, product);
  const period: PeriodFact = {
    storeProductId: product.storeIdentifier,
    planId: null,
    offerCode: null,
    kind: trial === null ? 'normal' : 'trial',
    isRenewal: false,
    startMs: purchasedAtMs,
    endMs,
    price: trial === null ? price : { ...price, amountMicros: 0 },
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: receipt.fetchToken,
    country: receipt.country,
  };
  // A life that was over before anybody heard of it did not renew.
  const lapsed = endMs !== null && endMs <= context.nowMs;
  return {
    atMs: purchasedAtMs,
    facts: {
      ...noChainFacts,
      periods: { [receipt.fetchToken]: { at: purchasedAtMs, src: 'signed', value: period } },
      renewal: {
        at: purchasedAtMs,
        src: 'signed',
        value: {
          autoRenew: !lapsed,
          cancelledAtMs: null,
          nextProductId: null,
          inRetry: false,
          billingIssueAtMs: null,
          graceUntilMs: null,
          pauseScheduled: false,
          paused: false,
          autoResumeAtMs: null,
        },
      },
      hints: hintsOf(receipt, purchasedAtMs),
    },
  };
}

function oneTimeObservation(
  receipt: PostedReceipt,
  storeProductId: string,
  product: StoreProduct | undefined,
  purchasedAtMs: number,
): Observation<OneTimeFacts> {
  return {
    atMs: purchasedAtMs,
    facts: {
      ...noOneTimeFacts,
      purchase: {
        at: purchasedAtMs,
        src: 'signed',
        value: {
          storeProductId,
          purchasedAtMs,
          expiresAtMs: null,
          price: priceOf(receipt, product),
          quantity: 1,
          ownership: 'purchased',
          storeTransactionId: receipt.fetchToken,
          country: receipt.country,
        },
      },
      hints: hintsOf(receipt, purchasedAtMs),
    },
  };
}

function verify(receipt: PostedReceipt, context: StoreContext): Verified | VerificationFailure {
  const { nowMs, isTestClock = false } = context;
  const purchasedAtMs = isTestClock ? nowMs : testStorePurchaseTime(receipt.fetchToken, nowMs);
  if (purchasedAtMs === null) {
    return refusal(
      7103,
      'The token is no Test Store purchase (test_<time in ms>_<id>), or lies in the future.',
    );
  }
  const [storeProductId] = receipt.productIds;
  if (storeProductId === undefined) return refusal(7226, 'product_id is missing.');
  const product = context.product(storeProductId);
  const purchase: VerifiedPurchase =
    product?.type === 'subscription'
      ? {
          kind: 'chain',
          key: receipt.fetchToken,
          firstPostStands: true,
          observation: chainObservation(receipt, product, purchasedAtMs, context),
        }
      : {
          kind: 'one_time',
          key: receipt.fetchToken,
          firstPostStands: true,
          observation: oneTimeObservation(receipt, storeProductId, product, purchasedAtMs),
          shouldConsume: product?.type === 'consumable',
        };
  return { failure: null, environment: 'sandbox', purchases: [purchase] };
}

/** The store of development: every token of its form is a purchase, and it is always sandbox. */
export const testStore: StoreAdapter = {
  store: 'test_store',
  verify: (receipt, context) => Promise.resolve(verify(receipt, context)),
};
