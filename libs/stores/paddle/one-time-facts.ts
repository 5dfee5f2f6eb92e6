import { noOneTimeFacts, type OneTimeFacts, type OneTimeRefundFact } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { type MoneyBack, moneyBack, namedBack } from './adjustments.js';
import {
  lineAt,
  microsOf,
  type PaddleTransaction,
  paidOf,
  timeOf,
  totalOf,
  withheldShares,
} from './paddle-objects.js';

export interface BoughtItem {
  key: string;
  facts: OneTimeFacts;
}

/** An item that was sold once. */
export interface SoldItem {
  index: number;
  key: string;
  amountMicros: number;
  /** The part that was refunded. */
  backMicros: number;
}

/** The key of a one-time item: the transaction, and the item's index. */
function itemKey({ id }: PaddleTransaction, index: number): string {
  return index === 0 ? id : `${id}:${index}`;
}

function priceOf(transaction: PaddleTransaction, index: number): number {
  return microsOf(lineAt(transaction, index)?.totals.total ?? '0', transaction.currency_code);
}

function refundOf(back: MoneyBack | null, { amountMicros, backMicros }: SoldItem, quantity: number) {
  if (back === null) return null;
  if (backMicros === 0) return { refundedAtMs: null, quantity: 0 };
  if (back.isFull || (amountMicros > 0 && backMicros >= amountMicros)) {
    return { refundedAtMs: back.lastAtMs, quantity };
  }
  return { refundedAtMs: back.lastAtMs, quantity: 0, amountMicros: backMicros };
}

/** The time of sale, as far as Paddle reports it. */
export function soldAtMs({ billed_at: billedAt, created_at: createdAt }: PaddleTransaction): number {
  return timeOf(billedAt ?? createdAt);
}

export function boughtItem(transaction: PaddleTransaction, sold: SoldItem, at: number): BoughtItem {
  const { index, key, amountMicros } = sold;
  const { currency_code: currency, items } = transaction;
  const { price, quantity } = items[index] as PaddleTransaction['items'][number];
  const refund: OneTimeRefundFact | null = refundOf(moneyBack([transaction]), sold, quantity);
  const value = {
    storeProductId: price.product_id,
    planId: price.id,
    purchasedAtMs: soldAtMs(transaction),
    expiresAtMs: null,
    price: { amountMicros, currency: currency.toUpperCase(), source: 'store' as const },
    quantity,
    ownership: 'purchased' as const,
    storeTransactionId: key,
    country: alpha2Country(transaction.address?.country_code),
    ...withheldShares(transaction, amountMicros),
  };
  return {
    key,
    facts: {
      ...noOneTimeFacts,
      purchase: { at, src: 'api', value },
      refund: refund && { at, src: 'api', value: refund },
    },
  };
}

/** One-time items of a transaction with a billing period, with the amounts refunded for them. */
export function soldBeside(transaction: PaddleTransaction, indexes: readonly number[]): SoldItem[] {
  const back = moneyBack([transaction]);
  const named = namedBack(transaction);
  const sold = indexes.map((index): SoldItem => {
    const amountMicros = priceOf(transaction, index);
    return { index, key: `${transaction.id}:${index}`, amountMicros, backMicros: 0 };
  });
  let left = back?.amountMicros ?? 0;
  for (const one of sold) {
    const of = named.get(lineAt(transaction, one.index)?.id ?? '') ?? 0;
    one.backMicros = Math.min(left, one.amountMicros, back?.isFull ? one.amountMicros : Math.max(0, of));
    left -= one.backMicros;
  }
  // Any refund beyond the subscription's part belongs to what was bought with it.
  const soldMicros = sold.reduce((sum, { amountMicros }) => sum + amountMicros, 0);
  let beyond = left - (paidOf(transaction) - soldMicros);
  for (const one of sold) {
    const more = Math.max(0, Math.min(beyond, one.amountMicros - one.backMicros));
    one.backMicros += more;
    beyond -= more;
  }
  return sold;
}

/** Returns one purchase for each item of a paid transaction without a subscription. */
export function oneTimeFacts(transaction: PaddleTransaction, at: number): BoughtItem[] {
  const { items } = transaction;
  const back = moneyBack([transaction]);
  const named = namedBack(transaction);
  const totalMicros = totalOf(transaction);
  const unnamed = (back?.amountMicros ?? 0) - [...named.values()].reduce((sum, micros) => sum + micros, 0);
  return items.map((_, index) => {
    const amountMicros = items.length === 1 ? totalMicros : priceOf(transaction, index);
    const own = named.get(lineAt(transaction, index)?.id ?? '') ?? 0;
    // Refunds that name no item are divided in proportion to the prices.
    const share = totalMicros === 0 ? 0 : Math.round((amountMicros * unnamed) / totalMicros);
    const backMicros = back?.isFull ? back.amountMicros : Math.max(0, own + share);
    const sold = { index, key: itemKey(transaction, index), amountMicros, backMicros };
    return boughtItem(transaction, sold, at);
  });
}
