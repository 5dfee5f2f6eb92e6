import type Stripe from 'stripe';

/** An item of which the use of the past is billed, and no period in advance. */
export function isMetered({ price }: Stripe.SubscriptionItem): boolean {
  return price.recurring?.usage_type === 'metered';
}

/** The product that a subscription is about: the first that is paid for in advance. */
export function baseItem({ items }: Stripe.Subscription): Stripe.SubscriptionItem | null {
  return items.data.find((item) => !isMetered(item)) ?? items.data[0] ?? null;
}

/** The products beside it. */
export function otherItems(subscription: Stripe.Subscription): Stripe.SubscriptionItem[] {
  const base = baseItem(subscription);
  return subscription.items.data.filter(({ id }) => id !== base?.id);
}

/** The item that a line of an invoice is for. */
export function itemOf({ parent }: Stripe.InvoiceLineItem): string | null {
  return parent?.subscription_item_details?.subscription_item ?? null;
}

/**
 * Lines that bill a period in advance, the longest first; a line for a change bills a part. The first period of a
 * subscription with a later date of renewal is a part, too: nothing else was billed then.
 */
export function linesInAdvance({ lines, billing_reason: reason }: Stripe.Invoice): Stripe.InvoiceLineItem[] {
  const ofItems = lines.data.filter(({ parent }) => parent?.type === 'subscription_item_details');
  const whole = ofItems.filter(({ parent }) => parent?.subscription_item_details?.proration === false);
  const isFirst = reason === 'subscription_create';
  const billed = whole.length === 0 && isFirst ? ofItems.filter(({ amount }) => amount >= 0) : whole;
  return billed.sort((a, b) => b.period.end - a.period.end);
}

/** What of the money of an invoice was for one of its lines: taxes and discounts are shared alike. */
export function shareOf({ lines, amount_paid: paid }: Stripe.Invoice, line: Stripe.InvoiceLineItem): number {
  const total = lines.data.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
  return total === 0 ? 0 : Math.floor((paid * Math.max(0, line.amount)) / total);
}

/** When an item was taken out of a subscription, epoch seconds; null: no invoice tells. */
export function removedAt(invoices: Stripe.Invoice[], itemId: string | null): number | null {
  const credits = invoices
    .flatMap(({ lines }) => lines.data)
    .filter((line) => itemOf(line) === itemId && line.amount < 0)
    .filter(({ parent }) => parent?.subscription_item_details?.proration === true)
    .map(({ period }) => period.start);
  return credits.length === 0 ? null : Math.max(...credits);
}

/**
 * When the period begins that comes with a line, epoch seconds: what bills the use of a period is made when the next
 * one begins.
 */
export function beginOf(
  { billing_reason: reason, created }: Stripe.Invoice,
  line: Stripe.InvoiceLineItem,
): number {
  const { start, end } = line.period;
  return reason !== 'subscription_create' && end <= created ? end : start;
}
