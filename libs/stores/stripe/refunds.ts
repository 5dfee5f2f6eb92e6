import type Stripe from 'stripe';
import { microsOf } from './amounts.js';
import type { PaidCharge } from './stripe-api.js';
import { hasKnownRefundStatus } from './unknown-in-answers.js';

export interface MoneyBack {
  /** Total amount; 0 if the refund failed or the dispute was won. */
  amountMicros: number;
  /** Time of the last valid refund or dispute, else of the last attempt. */
  lastAtMs: number;
}

interface Attempt {
  createdS: number;
  stands: boolean;
}

const takingStatuses = new Set<string>([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

/** Inquiries and prevented disputes take no money. A dispute of unknown status does not count. */
function disputesOf({ disputes = [] }: PaidCharge): Stripe.Dispute[] {
  return disputes.filter(({ status }) => status === 'won' || takingStatuses.has(status));
}

function attemptsOf(charge: PaidCharge): Attempt[] {
  const refunds = (charge.refunds?.data ?? []).filter(hasKnownRefundStatus).map(({ created, status }) => ({
    createdS: created,
    stands: status !== 'failed' && status !== 'canceled',
  }));
  const disputes = disputesOf(charge).map(({ created, status }) => ({
    createdS: created,
    stands: status !== 'won',
  }));
  return [...refunds, ...disputes];
}

/** Limited to the payment: a refunded amount can also be disputed. A refund of unknown status does not count. */
function amountBack(charge: PaidCharge): number {
  const disputed = disputesOf(charge)
    .filter(({ status }) => status !== 'won')
    .reduce((sum, { amount }) => sum + amount, 0);
  const unclear = (charge.refunds?.data ?? [])
    .filter((refund) => !hasKnownRefundStatus(refund))
    .reduce((sum, { amount }) => sum + amount, 0);
  const refunded = Math.max(0, charge.amount_refunded - unclear);
  return microsOf(Math.min(charge.amount, refunded + disputed), charge.currency);
}

/** The amount refunded or lost in disputes; null if there was no attempt. */
export function moneyBack(charges: PaidCharge[]): MoneyBack | null {
  const attempts = charges.flatMap(attemptsOf);
  const amountMicros = charges.reduce((sum, charge) => sum + amountBack(charge), 0);
  if (attempts.length === 0 && amountMicros === 0) return null;
  const effective = attempts.filter(({ stands }) => stands);
  const [first, ...rest] = (effective.length > 0 ? effective : attempts).map(({ createdS }) => createdS);
  // Without the refund objects, only the time of the charge is known.
  const last = Math.max(first ?? charges[0]?.created ?? 0, ...rest);
  return { amountMicros, lastAtMs: last * 1_000 };
}
