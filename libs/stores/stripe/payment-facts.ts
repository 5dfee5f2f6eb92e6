import type Stripe from 'stripe';
import {
  type ExtraFact,
  noOneTimeFacts,
  type OneTimeFacts,
  type OneTimeRefundFact,
  type RefundFact,
  type Register,
} from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import type { SoldOnce } from '../sold-once.js';
import { microsOf } from './amounts.js';
import type { BoughtItem } from './checkout-facts.js';
import { paidAtMs, taxIn } from './invoice-money.js';
import type { Paid, PaidInvoice, PaidPeriod } from './paid-periods.js';
import { type MoneyBack, moneyBack } from './refunds.js';
import { idOf, paymentsOf, type StripeHistory } from './stripe-api.js';

interface Bought {
  line: Stripe.InvoiceLineItem;
  amountMicros: number;
  /** The part that was refunded. */
  backMicros: number;
}

/** Money collected by one invoice, and the part that was refunded. */
interface Payment {
  paid: PaidInvoice;
  paidMicros: number;
  back: MoneyBack | null;
  bought: Bought[];
}

const identifiersOf = ({ pricing }: Stripe.InvoiceLineItem): string[] =>
  [idOf(pricing?.price_details?.price), pricing?.price_details?.product ?? null].filter((id) => id !== null);

const isAllBack = ({ back, paidMicros }: Pick<Payment, 'back' | 'paidMicros'>): boolean =>
  back !== null && back.amountMicros > 0 && back.amountMicros >= paidMicros;

/** A partial refund counts for the subscription, unless a credit note names a one-time item. */
function paymentOf(paid: PaidInvoice, { charges, credited }: StripeHistory, soldOnce: SoldOnce): Payment {
  const { invoice, money, oneOffs } = paid;
  const { currency } = invoice;
  const back = moneyBack(paymentsOf(invoice).flatMap((payment) => charges.get(payment) ?? []));
  const paidMicros = microsOf(invoice.amount_paid, currency);
  const bought = oneOffs
    .filter((line) => line.amount >= 0 && soldOnce(identifiersOf(line)))
    .map((line) => ({ line, amountMicros: microsOf(money.get(line)?.net ?? 0, currency), backMicros: 0 }));
  const all = isAllBack({ back, paidMicros });
  let left = back?.amountMicros ?? 0;
  for (const one of bought) {
    const named = all ? one.amountMicros : microsOf(credited.get(one.line.id) ?? 0, currency);
    one.backMicros = Math.min(one.amountMicros, named, left);
    left -= one.backMicros;
  }
  // Any refund beyond the subscription's part belongs to what was bought with it.
  const soldMicros = bought.reduce((sum, { amountMicros }) => sum + amountMicros, 0);
  let beyond = left - (paidMicros - soldMicros);
  for (const one of bought) {
    const more = Math.max(0, Math.min(beyond, one.amountMicros - one.backMicros));
    one.backMicros += more;
    beyond -= more;
  }
  return { paid, paidMicros, back, bought };
}

function oneTimeRefund(
  { back }: Payment,
  { amountMicros, backMicros }: Bought,
  quantity: number,
): OneTimeRefundFact | null {
  if (back === null) return null;
  if (backMicros === 0) return { refundedAtMs: null, quantity: 0 };
  if (backMicros >= amountMicros) return { refundedAtMs: back.lastAtMs, quantity };
  return { refundedAtMs: back.lastAtMs, quantity: 0, amountMicros: backMicros };
}

function boughtItem(payment: Payment, bought: Bought, at: number): BoughtItem {
  const { invoice, money } = payment.paid;
  const { line, amountMicros } = bought;
  const quantity = line.quantity ?? 1;
  const refund = oneTimeRefund(payment, bought, quantity);
  const { price, product } = line.pricing?.price_details ?? {};
  const value = {
    storeProductId: product ?? '',
    planId: idOf(price),
    purchasedAtMs: paidAtMs(invoice),
    expiresAtMs: null,
    price: { amountMicros, currency: invoice.currency.toUpperCase(), source: 'store' as const },
    quantity,
    ownership: 'purchased' as const,
    storeTransactionId: line.id,
    country: alpha2Country(invoice.customer_address?.country),
    ...taxIn(money, [line], invoice),
  };
  const facts: OneTimeFacts = {
    ...noOneTimeFacts,
    purchase: { at, src: 'api', value },
    refund: refund && { at, src: 'api', value: refund },
  };
  return { key: line.id, facts };
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Money in an invoice beyond the prices of its items; null if there is none. */
function extraOf(
  { paid, paidMicros, bought }: Payment,
  chargeKey: string,
  { storeProductId, planId }: Pick<PaidPeriod, 'storeProductId' | 'planId'>,
): ExtraFact | null {
  const { invoice, money, periods, addOns, oneOffs } = paid;
  const prices = [...periods, ...addOns].map(({ price }) => price.amountMicros ?? 0);
  const amountMicros = paidMicros - sumOf(prices) - sumOf(bought.map((one) => one.amountMicros));
  // A line that becomes a purchase later reverses the extra.
  if (amountMicros === 0 && oneOffs.length === 0) return null;
  const { taxMicros: allMicros } = taxIn(money, [...money.keys()], invoice);
  const { taxMicros: soldMicros = 0 } = taxIn(
    money,
    bought.map(({ line }) => line),
    invoice,
  );
  const ownMicros = soldMicros + sumOf([...periods, ...addOns].map(({ taxMicros }) => taxMicros ?? 0));
  return {
    chargeKey,
    storeProductId,
    planId,
    price: { amountMicros, currency: invoice.currency.toUpperCase(), source: 'store' },
    paidAtMs: paidAtMs(invoice),
    storeTransactionId: invoice.id ?? '',
    country: alpha2Country(invoice.customer_address?.country),
    ...(allMicros !== undefined && { taxMicros: allMicros - ownMicros }),
  };
}

/** The refund of what some invoices charged for the subscription itself; null if nothing was ever refunded. */
function refundOf(
  payments: readonly Payment[],
): { isFull: boolean; backMicros: number; atMs: number } | null {
  const backs = payments.flatMap(({ back }) => back ?? []);
  if (backs.length === 0) return null;
  const total = sumOf(backs.map(({ amountMicros }) => amountMicros));
  const ofBought = sumOf(payments.flatMap(({ bought }) => bought.map(({ backMicros }) => backMicros)));
  const standing = backs.filter(({ amountMicros }) => amountMicros > 0);
  const atMs = Math.max(...(standing.length > 0 ? standing : backs).map(({ lastAtMs }) => lastAtMs));
  const isFull = total > 0 && total >= sumOf(payments.map(({ paidMicros }) => paidMicros));
  return { isFull, backMicros: total - ofBought, atMs };
}

const reversed: RefundFact = { revokedAtMs: null, kind: 'full', amountMicros: null };

export interface PaymentFacts {
  refunds: Record<string, Register<RefundFact>>;
  extras: Record<string, Register<ExtraFact>>;
  bought: BoughtItem[];
}

/** Divides the payments of all invoices into prices, one-time purchases and everything else. */
export function paymentFacts(
  history: StripeHistory,
  { periods, addOns, invoices }: Paid,
  soldOnce: SoldOnce,
  at: number,
): PaymentFacts {
  const said = <Value>(value: Value): Register<Value> => ({ at, src: 'api', value });
  const payments = invoices.map((paid) => paymentOf(paid, history, soldOnce));
  const of = new Map(payments.map((payment) => [payment.paid.invoice, payment]));
  const facts: PaymentFacts = { refunds: {}, extras: {}, bought: [] };
  const note = (keys: readonly [key: string, totalMicros: number][], paid: readonly Payment[]): void => {
    const refund = refundOf(paid);
    if (!refund) return;
    const { isFull, backMicros, atMs } = refund;
    let left = backMicros;
    for (const [index, [key, totalMicros]] of keys.entries()) {
      if (isFull) facts.refunds[key] = said({ revokedAtMs: atMs, kind: 'full', amountMicros: null });
      else if (left <= 0) facts.refunds[key] = said(reversed);
      else {
        const amountMicros = index === keys.length - 1 ? left : Math.min(left, totalMicros);
        facts.refunds[key] = said({ revokedAtMs: atMs, kind: 'partial', amountMicros });
        left -= amountMicros;
      }
    }
  };
  const placed = new Set<Stripe.Invoice>();
  for (const period of periods) {
    const own = period.invoices.filter((invoice) => !placed.has(invoice));
    if (own.length === 0) continue;
    for (const invoice of own) placed.add(invoice);
    const paid = own.flatMap((invoice) => of.get(invoice) ?? []);
    const together = periods.filter(({ invoices: [first] }) => first === own[0]);
    note(
      together.map(({ key, price }) => [
        key,
        (price.amountMicros ?? 0) +
          sumOf(addOns.map((one) => (one.chargeKey === key ? (one.price.amountMicros ?? 0) : 0))),
      ]),
      paid,
    );
    for (const payment of paid) {
      const extra = extraOf(payment, period.key, period);
      if (extra) facts.extras[payment.paid.invoice.id ?? ''] = said(extra);
    }
  }
  for (const payment of payments) {
    const { invoice, addOns: alone } = payment.paid;
    const [first] = alone;
    if (placed.has(invoice) || !first) continue;
    const key = invoice.id ?? '';
    note([[key, payment.paidMicros]], [payment]);
    const extra = extraOf(payment, key, first);
    if (extra) facts.extras[key] = said(extra);
  }
  facts.bought = [...payments]
    .reverse()
    .flatMap((payment) => payment.bought.map((one) => boughtItem(payment, one, at)));
  return facts;
}
