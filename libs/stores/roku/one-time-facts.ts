import { noOneTimeFacts, type OneTimeFacts } from '../../engine/index.js';
import { priceOf } from './period-facts.js';
import { isNewRefund, type MoneyBack, type RokuHints } from './report.js';
import type { RokuTransaction } from './transaction.js';

interface Sold {
  quantity: number;
  priceMicros: number | null;
}

function refundOf(
  { key, amountMicros, atMs, endsAccess }: MoneyBack,
  { quantity, priceMicros }: Sold,
  known: OneTimeFacts,
  nowMs: number,
): OneTimeFacts['refund'] {
  const before = known.refund?.value;
  const register = (value: NonNullable<OneTimeFacts['refund']>['value']): OneTimeFacts['refund'] => ({
    at: nowMs,
    src: 'api',
    value,
  });
  const keys = before?.refundKeys ?? [];
  if (amountMicros === null) {
    const kept = keys.length > 0 && { refundKeys: keys };
    return before ? register({ refundedAtMs: null, quantity: 0, ...kept }) : null;
  }
  // Nothing is left to refund.
  if (before?.refundedAtMs && before.quantity >= quantity) return null;
  const timeMs = Math.min(atMs, nowMs);
  if (!isNewRefund(key, timeMs, before && { ...before, atMs: before.refundedAtMs })) return null;
  const refundKeys = [...keys, key];
  const refundedAtMs = Math.max(timeMs, before?.refundedAtMs ?? timeMs);
  const returned = before?.refundedAtMs === null ? 0 : (before?.amountMicros ?? 0);
  const totalMicros = returned + amountMicros;
  const isWhole = endsAccess && (priceMicros === null || totalMicros >= priceMicros);
  return isWhole
    ? register({ refundedAtMs, quantity, refundKeys })
    : register({ refundedAtMs, quantity: 0, amountMicros: totalMicros, refundKeys });
}

/** Facts of a one-time purchase, combined with known facts. */
export function oneTimeFacts(
  transaction: RokuTransaction,
  { moneyBack }: RokuHints,
  at: number,
  known: OneTimeFacts,
): OneTimeFacts {
  const { productId, purchasedAtMs, quantity, id } = transaction;
  const price = priceOf(transaction);
  const sold = { quantity, priceMicros: price.amountMicros };
  return {
    ...noOneTimeFacts,
    purchase: {
      at,
      src: 'api',
      value: {
        storeProductId: productId,
        purchasedAtMs,
        expiresAtMs: null,
        price,
        quantity,
        ownership: 'purchased',
        storeTransactionId: id,
        country: null,
      },
    },
    refund: moneyBack === null ? null : refundOf(moneyBack, sold, known, at),
  };
}

/** The one-time counterpart of `voidedFacts`. */
export function voidedOneTime(known: OneTimeFacts, at: number): OneTimeFacts {
  const bought = known.purchase?.value;
  if (!bought || bought.price.amountMicros !== 0 || known.refund) return noOneTimeFacts;
  const value = { refundedAtMs: at, quantity: bought.quantity };
  return { ...noOneTimeFacts, refund: { at, src: 'api', value } };
}
