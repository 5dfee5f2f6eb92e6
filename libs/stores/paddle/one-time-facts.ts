import { noOneTimeFacts, type OneTimeFacts } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { type MoneyBack, moneyBack } from './adjustments.js';
import { feeOf, microsOf, type PaddleTransaction, timeOf, totalOf } from './paddle-objects.js';

export interface BoughtItem {
  key: string;
  facts: OneTimeFacts;
}

/** The key of what a transaction sold once: the transaction, and which of several items. */
function itemKey({ id }: PaddleTransaction, index: number): string {
  return index === 0 ? id : `${id}:${index}`;
}

/** An item's share of what was given back. */
function refundOf(
  back: MoneyBack | null,
  { amountMicros, quantity }: { amountMicros: number; quantity: number },
  totalMicros: number,
): { refundedAtMs: number | null; quantity: number; amountMicros?: number } | null {
  if (back === null) return null;
  if (back.amountMicros === 0) return { refundedAtMs: null, quantity: 0 };
  if (back.isFull) return { refundedAtMs: back.lastAtMs, quantity };
  const share = Math.round((amountMicros * back.amountMicros) / totalMicros);
  return { refundedAtMs: back.lastAtMs, quantity: 0, amountMicros: share };
}

/** What a paid transaction sold once, one purchase for each item. */
export function oneTimeFacts(transaction: PaddleTransaction, at: number): BoughtItem[] {
  const { currency_code: currency, items, details, billed_at: billedAt, created_at: createdAt } = transaction;
  const back = moneyBack([transaction]);
  const totalMicros = totalOf(transaction);
  const feeMicros = feeOf(transaction);
  const country = alpha2Country(transaction.address?.country_code);
  const lines = details?.line_items ?? [];
  return items.map(({ price, quantity }, index) => {
    const key = itemKey(transaction, index);
    // Lines are in the order of the items.
    const line = lines[index]?.price_id === price.id ? lines[index] : undefined;
    const own = line ?? lines.find(({ price_id: id }) => id === price.id);
    const amountMicros = items.length === 1 ? totalMicros : microsOf(own?.totals.total ?? '0', currency);
    const fee = feeMicros !== null && totalMicros > 0 ? (feeMicros * amountMicros) / totalMicros : null;
    const refund = refundOf(back, { amountMicros, quantity }, totalMicros);
    const value = {
      storeProductId: price.product_id,
      planId: price.id,
      purchasedAtMs: timeOf(billedAt ?? createdAt),
      expiresAtMs: null,
      price: { amountMicros, currency: currency.toUpperCase(), source: 'store' as const },
      quantity,
      ownership: 'purchased' as const,
      storeTransactionId: key,
      country,
      ...(fee !== null && { feeMicros: Math.round(fee) }),
    };
    return {
      key,
      facts: {
        ...noOneTimeFacts,
        purchase: { at, src: 'api', value },
        refund: refund && { at, src: 'api', value: refund },
      },
    };
  });
}
