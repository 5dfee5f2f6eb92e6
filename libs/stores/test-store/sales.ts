import { addPeriods } from '../../kernel/index.js';
import {
  type SubscriptionFacts,
  type HintFact,
  noSubscriptionFacts,
  noOneTimeFacts,
  type Observation,
  type OneTimeFacts,
  type Price,
  type Register,
} from '../../engine/index.js';
import type { StoreProduct } from '../contract.js';
import { hintOf } from '../device-hints.js';
import { paidPeriod, trialPeriod } from './durations.js';
import { said, willRenew } from './statements.js';

/** A Test Store sale; the token identifies it permanently. */
export interface Sale {
  token: string;
  storeProductId: string;
  price: Price;
  /** ISO 3166 alpha-2, if known. */
  country: string | null;
  presentedOfferingId: string | null;
  presentedPlacementId?: string | null;
  targetingRule?: HintFact['targetingRule'] | null;
}

function hintsOf(sale: Sale, atMs: number): Register<HintFact> {
  return { at: atMs, src: 'device', value: hintOf(sale) };
}

type Lasting = Pick<StoreProduct, 'duration' | 'trialDuration' | 'accelerated'>;

/** Sells a new subscription. It starts with a free trial if the product has one. */
export function subscriptionSold(
  sale: Sale,
  lasting: Lasting,
  atMs: number,
  autoRenew: boolean,
): Observation<SubscriptionFacts> {
  const { trialDuration } = lasting;
  const { token, storeProductId, price, country } = sale;
  const period = {
    storeProductId,
    planId: null,
    offerCode: null,
    kind: trialDuration === null ? ('normal' as const) : ('trial' as const),
    isRenewal: false,
    startMs: atMs,
    endMs: firstEnd(lasting, atMs),
    price: trialDuration === null ? price : { ...price, amountMicros: 0 },
    quantity: 1,
    ownership: 'purchased' as const,
    storeTransactionId: token,
    country,
  };
  return {
    atMs,
    facts: {
      ...noSubscriptionFacts,
      periods: { [token]: said(atMs, period) },
      renewal: said(atMs, { ...willRenew, autoRenew }),
      hints: hintsOf(sale, atMs),
    },
  };
}

export function firstEnd(lasting: Lasting, atMs: number): number {
  return addPeriods(atMs, lasting.trialDuration === null ? paidPeriod(lasting) : trialPeriod(lasting));
}

export function soldOnce(sale: Sale, atMs: number): Observation<OneTimeFacts> {
  const { token, storeProductId, price, country } = sale;
  const purchase = {
    storeProductId,
    purchasedAtMs: atMs,
    expiresAtMs: null,
    price,
    quantity: 1,
    ownership: 'purchased' as const,
    storeTransactionId: token,
    country,
  };
  return {
    atMs,
    facts: { ...noOneTimeFacts, purchase: said(atMs, purchase), hints: hintsOf(sale, atMs) },
  };
}

export function saleRefunded(quantity: number, atMs: number, refundedAtMs = atMs): Observation<OneTimeFacts> {
  return { atMs, facts: { ...noOneTimeFacts, refund: said(atMs, { refundedAtMs, quantity }) } };
}
