import type { ExtraFact, RefundFact, Register } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import type { SoldOnce } from '../sold-once.js';
import { moneyBack } from './adjustments.js';
import { type BoughtItem, boughtItem, soldAtMs, soldBeside, type SoldItem } from './one-time-facts.js';
import { lineAt, type PaddleTransaction, paidOf, withheldShares } from './paddle-objects.js';
import { oneOffs, type Paid, type PaidPeriod } from './paid-periods.js';

export interface PaymentFacts {
  refunds: Record<string, Register<RefundFact>>;
  extras: Record<string, Register<ExtraFact>>;
  bought: BoughtItem[];
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

function soldIn(transaction: PaddleTransaction, soldOnce: SoldOnce): SoldItem[] {
  const indexes = oneOffs(transaction).filter((index) => {
    const price = transaction.items[index]?.price;
    return price && lineAt(transaction, index) !== null && soldOnce([price.id, price.product_id]);
  });
  return soldBeside(transaction, indexes);
}

/** Money in a transaction beyond the prices of its items; null if there is none. */
function extraOf(
  transaction: PaddleTransaction,
  period: PaidPeriod,
  prices: readonly number[],
): ExtraFact | null {
  const amountMicros = paidOf(transaction) - sumOf(prices);
  // A line that becomes a purchase later reverses the extra.
  if (amountMicros === 0 && oneOffs(transaction).length === 0) return null;
  const { key: chargeKey, storeProductId, planId } = period;
  const { id: storeTransactionId, currency_code: currency, address } = transaction;
  return {
    ...{ chargeKey, storeProductId, planId, storeTransactionId },
    price: { amountMicros, currency: currency.toUpperCase(), source: 'store' },
    paidAtMs: soldAtMs(transaction),
    country: alpha2Country(address?.country_code),
    ...withheldShares(transaction, amountMicros),
  };
}

/** The refund of what some transactions charged for the subscription itself; null if nothing was ever refunded. */
function refundOf(transactions: PaddleTransaction[], sold: readonly SoldItem[]): RefundFact | null {
  const back = moneyBack(transactions);
  if (back === null) return null;
  const { amountMicros, isFull, lastAtMs } = back;
  if (isFull) return { revokedAtMs: lastAtMs, kind: 'full', amountMicros: null };
  const left = amountMicros - sumOf(sold.map(({ backMicros }) => backMicros));
  if (left <= 0) return { revokedAtMs: null, kind: 'full', amountMicros: null };
  return { revokedAtMs: lastAtMs, kind: 'partial', amountMicros: left };
}

/** Divides the payments of all periods into prices, one-time purchases and everything else. */
export function paymentFacts({ periods, addOns }: Paid, soldOnce: SoldOnce, at: number): PaymentFacts {
  const said = <Value>(value: Value): Register<Value> => ({ at, src: 'api', value });
  const facts: PaymentFacts = { refunds: {}, extras: {}, bought: [] };
  for (const period of periods) {
    const { key, transactions } = period;
    const together = addOns
      .filter(({ chargeKey }) => chargeKey === key)
      .map(({ price }) => price.amountMicros ?? 0);
    const all: SoldItem[] = [];
    for (const [index, transaction] of transactions.entries()) {
      const sold = soldIn(transaction, soldOnce);
      all.push(...sold);
      facts.bought.push(...sold.map((one) => boughtItem(transaction, one, at)));
      const ofPeriod = index === 0 ? [period.price.amountMicros ?? 0, ...together] : [];
      const extra = extraOf(transaction, period, [
        ...ofPeriod,
        ...sold.map(({ amountMicros }) => amountMicros),
      ]);
      if (extra) facts.extras[transaction.id] = said(extra);
    }
    const refund = refundOf(transactions, all);
    if (refund) facts.refunds[key] = said(refund);
  }
  return facts;
}
