import type Stripe from 'stripe';
import { microsOf } from './amounts.js';
import type { PaidCharge } from './stripe-api.js';

export interface MoneyBack {
  /** All in all; 0: a refund failed, or a dispute was won. */
  amountMicros: number;
  /** Of the last refund or dispute that stands, or else of the last attempt. */
  lastAtMs: number;
}

interface Attempt {
  createdS: number;
  stands: boolean;
}

/** Inquiries of banks take no money. */
function disputesOf({ disputes = [] }: PaidCharge): Stripe.Dispute[] {
  return disputes.filter(({ status }) => !status.startsWith('warning_') && status !== 'prevented');
}

function attemptsOf(charge: PaidCharge): Attempt[] {
  const refunds = (charge.refunds?.data ?? []).map(({ created, status }) => ({
    createdS: created,
    stands: status !== 'failed' && status !== 'canceled',
  }));
  const disputes = disputesOf(charge).map(({ created, status }) => ({
    createdS: created,
    stands: status !== 'won',
  }));
  return [...refunds, ...disputes];
}

/** Never more than was paid: what was refunded can be disputed, too. */
function amountBack(charge: PaidCharge): number {
  const disputed = disputesOf(charge)
    .filter(({ status }) => status !== 'won')
    .reduce((sum, { amount }) => sum + amount, 0);
  return microsOf(Math.min(charge.amount, charge.amount_refunded + disputed), charge.currency);
}

/** What was given back of some charges, or taken back by banks; null when nobody ever tried. */
export function moneyBack(charges: PaidCharge[]): MoneyBack | null {
  const attempts = charges.flatMap(attemptsOf);
  const amountMicros = charges.reduce((sum, charge) => sum + amountBack(charge), 0);
  if (attempts.length === 0 && amountMicros === 0) return null;
  const effective = attempts.filter(({ stands }) => stands);
  const [first, ...rest] = (effective.length > 0 ? effective : attempts).map(({ createdS }) => createdS);
  // Without the refunds themselves: the charge is the only time there is.
  const last = Math.max(first ?? charges[0]?.created ?? 0, ...rest);
  return { amountMicros, lastAtMs: last * 1_000 };
}
