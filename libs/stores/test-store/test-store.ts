import { type SubscriptionFacts, type Observation, type Price, unknownPrice } from '../../engine/index.js';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  StoreProduct,
  VerificationFailure,
  Verified,
  VerifiedPurchase,
} from '../contract.js';
import { firstEnd, type Sale, soldOnce, subscriptionSold } from './sales.js';

const TOKEN = /^test_(\d{10,16})_(.{1,200})$/s;
const FUTURE_TOLERANCE_MS = 24 * 3_600_000;

function refusal(code: 7103 | 7226, message: string): VerificationFailure {
  return { failure: 'permanent', code, message };
}

/**
 * Purchase time in a token `test_<epoch ms>_<id>`. Null for any other text, and for a time more than 24 hours ahead. A
 * time less far ahead is a wrong device clock and counts as now.
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
  return unknownPrice;
}

function posted(
  sale: Sale,
  product: StoreProduct,
  purchasedAtMs: number,
  context: StoreContext,
): Observation<SubscriptionFacts> {
  const trialDuration = context.hadProduct(product.storeIdentifier) ? null : product.trialDuration;
  const terms = { ...product, trialDuration };
  // A subscription that had already ended before it was posted did not renew.
  const autoRenew = firstEnd(terms, purchasedAtMs) > context.nowMs;
  return subscriptionSold(sale, terms, purchasedAtMs, autoRenew);
}

function verify(receipt: PostedReceipt, context: StoreContext): Verified | VerificationFailure {
  const { nowMs, isTestClock = false } = context;
  const purchasedAtMs = isTestClock ? nowMs : testStorePurchaseTime(receipt.fetchToken, nowMs);
  if (purchasedAtMs === null) {
    return refusal(
      7103,
      'The token is not a Test Store purchase (test_<time in ms>_<id>), or its time is in the future.',
    );
  }
  const [storeProductId] = receipt.productIds;
  if (storeProductId === undefined) return refusal(7226, 'product_id is missing.');
  const product = context.product(storeProductId);
  const { fetchToken: key, country, presentedOfferingId, presentedPlacementId, targetingRule } = receipt;
  const price = priceOf(receipt, product);
  const presented = { presentedOfferingId, presentedPlacementId, targetingRule };
  const sale: Sale = { token: key, storeProductId, price, country, ...presented };
  const purchase: VerifiedPurchase =
    product?.type === 'subscription'
      ? {
          kind: 'subscription',
          key,
          firstPostStands: true,
          observation: posted(sale, product, purchasedAtMs, context),
        }
      : {
          kind: 'one_time',
          key,
          firstPostStands: true,
          observation: soldOnce(sale, purchasedAtMs),
          shouldConsume: product?.type === 'consumable',
        };
  return { failure: null, environment: 'sandbox', purchases: [purchase] };
}

/** For development: every well-formed token is a purchase, always in the sandbox. */
export const testStore: StoreAdapter = {
  store: 'test_store',
  verify: (receipt, context) => Promise.resolve(verify(receipt, context)),
};
