import type Stripe from 'stripe';
import { microsOf, msOf } from './amounts.js';
import { itemOf } from './subscription-items.js';

type Line = Stripe.InvoiceLineItem;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export function isProration({ parent }: Pick<Line, 'parent'>): boolean {
  return (
    parent?.subscription_item_details?.proration === true || parent?.invoice_item_details?.proration === true
  );
}

/** A one-time charge in an invoice: a set-up fee, a pending invoice item, or a one-time price of a checkout. */
export function isOneOff(line: Line): boolean {
  return line.parent?.type === 'invoice_item_details' && !isProration(line) && itemOf(line) === null;
}

export function paidAtMs({ status_transitions: times, created }: Stripe.Invoice): number {
  // Absent in events of older API versions.
  const paidAt = (times as Stripe.Invoice.StatusTransitions | undefined)?.paid_at ?? null;
  return msOf(paidAt ?? created);
}

interface Taxed {
  taxes?: readonly { amount: number; tax_behavior: string }[] | null;
}

function exclusiveTax({ taxes }: Taxed): number {
  return sum((taxes ?? []).flatMap(({ amount, tax_behavior: kind }) => (kind === 'exclusive' ? amount : [])));
}

/** Included in the amount or not. */
function allTax({ taxes }: Taxed): number {
  return sum((taxes ?? []).map(({ amount }) => amount));
}

function discountOf({ discount_amounts: discounts }: Pick<Line, 'discount_amounts'>): number {
  return sum((discounts ?? []).map(({ amount }) => amount));
}

/** Divides a total that the lines do not name in proportion to their amounts. The last line gets the rounding. */
function divided(lines: readonly Line[], own: number[], total: number): number[] {
  let left = total - sum(own);
  const charged = lines.filter(({ amount }) => amount > 0);
  const whole = sum(charged.map(({ amount }) => amount));
  if (left <= 0 || whole === 0) return own;
  const missing = left;
  return lines.map((line, index) => {
    const known = own[index] ?? 0;
    if (line.amount <= 0) return known;
    const share = line === charged.at(-1) ? left : Math.round((missing * line.amount) / whole);
    left -= share;
    return known + share;
  });
}

export interface LineMoney {
  discount: number;
  /** Only tax that is not included in the amount. */
  tax: number;
  /** The line's amount after discounts, with taxes. */
  net: number;
  /** All tax within `net`; null if the invoice names no tax, not even one of zero. */
  allTax: number | null;
}

export type InvoiceMoney = ReadonlyMap<Line, LineMoney>;

export function moneyOf(invoice: Stripe.Invoice): InvoiceMoney {
  const lines = invoice.lines.data;
  const allDiscounts = sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount));
  const discounts = divided(lines, lines.map(discountOf), allDiscounts);
  const taxes = divided(lines, lines.map(exclusiveTax), exclusiveTax({ taxes: invoice.total_taxes }));
  const namesTax = [{ taxes: invoice.total_taxes }, ...lines].some((one) => (one.taxes ?? []).length > 0);
  const all = divided(lines, lines.map(allTax), allTax({ taxes: invoice.total_taxes }));
  return new Map(
    lines.map((line, index) => {
      const [discount = 0, tax = 0, own = 0] = [discounts[index], taxes[index], all[index]];
      const net = line.amount - discount + tax;
      return [line, { discount, tax, net, allTax: namesTax ? own : null }];
    }),
  );
}

/** The amount of an invoice line that a credit note returns. */
export function creditedAmount(line: Stripe.CreditNoteLineItem): number {
  return line.amount - discountOf(line) + exclusiveTax(line);
}

/** The ratio of cost to price, from a line billed at the price. */
export function factorOf(line: Line, { discount, tax }: LineMoney, isDiscounted: boolean): number {
  const taxable = line.amount - discount;
  if (line.amount <= 0 || taxable <= 0) return 1;
  return ((isDiscounted ? taxable : line.amount) / line.amount) * ((taxable + tax) / taxable);
}

/** The tax within some lines, in micros; nothing if the invoice names none. */
export function taxIn(
  money: InvoiceMoney,
  lines: readonly Line[],
  { currency }: Pick<Stripe.Invoice, 'currency'>,
): { taxMicros?: number } {
  const taxes = lines.map((line) => money.get(line)?.allTax ?? null);
  return taxes.includes(null) ? {} : { taxMicros: microsOf(sum(taxes.map((tax) => tax ?? 0)), currency) };
}
