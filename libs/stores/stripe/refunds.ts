import type Stripe from 'stripe';
import { microsOf } from './amounts.js';

export interface MoneyBack {
  /** All in all; 0: a refund failed, or was taken back. */
  amountMicros: number;
  /** Of the last refund that stands, or else of the last attempt. */
  lastAtMs: number;
}

/** What was given back of some charges; null when nobody ever tried. */
export function moneyBack(charges: Stripe.Charge[]): MoneyBack | null {
  const refunds = charges.flatMap((charge) => charge.refunds?.data ?? []);
  const amountMicros = charges.reduce(
    (sum, { amount_refunded: amount, currency }) => sum + microsOf(amount, currency),
    0,
  );
  if (refunds.length === 0 && amountMicros === 0) return null;
  const standing = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const [first, ...rest] = (standing.length > 0 ? standing : refunds).map(({ created }) => created);
  // Without the refunds themselves: the charge is the only time there is.
  const last = Math.max(first ?? charges[0]?.created ?? 0, ...rest);
  return { amountMicros, lastAtMs: last * 1_000 };
}
