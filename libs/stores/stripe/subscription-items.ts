import type Stripe from 'stripe';

export function isMetered({ price }: Stripe.SubscriptionItem): boolean {
  return price.recurring?.usage_type === 'metered';
}

export function baseItem({ items }: Stripe.Subscription): Stripe.SubscriptionItem | null {
  return items.data.find((item) => !isMetered(item)) ?? items.data[0] ?? null;
}

export function otherItems(subscription: Stripe.Subscription): Stripe.SubscriptionItem[] {
  const base = baseItem(subscription);
  return subscription.items.data.filter(({ id }) => id !== base?.id);
}

export function itemOf({ parent }: Pick<Stripe.InvoiceLineItem, 'parent'>): string | null {
  return parent?.subscription_item_details?.subscription_item ?? null;
}

/**
 * Lines that bill a period in advance, longest first; a line for a change bills only part of one. The first period of a
 * subscription with a later billing anchor is also partial: nothing else was billed then.
 */
export function linesInAdvance({ lines, billing_reason: reason }: Stripe.Invoice): Stripe.InvoiceLineItem[] {
  const ofItems = lines.data.filter(({ parent }) => parent?.type === 'subscription_item_details');
  const whole = ofItems.filter(({ parent }) => parent?.subscription_item_details?.proration === false);
  const isFirst = reason === 'subscription_create';
  const billed = whole.length === 0 && isFirst ? ofItems.filter(({ amount }) => amount >= 0) : whole;
  return billed.sort((a, b) => b.period.end - a.period.end);
}

/** When an item was removed from a subscription, epoch seconds; null if no invoice shows it. */
export function removedAt(invoices: Stripe.Invoice[], itemId: string | null): number | null {
  const credits = invoices
    .flatMap(({ lines }) => lines.data)
    .filter((line) => itemOf(line) === itemId && line.amount < 0)
    .filter(({ parent }) => parent?.subscription_item_details?.proration === true)
    .map(({ period }) => period.start);
  return credits.length === 0 ? null : Math.max(...credits);
}

/** When the period of a line starts, epoch seconds. A usage line is billed when the next period starts. */
export function beginOf(
  { billing_reason: reason, created }: Stripe.Invoice,
  line: Stripe.InvoiceLineItem,
): number {
  const { start, end } = line.period;
  return reason !== 'subscription_create' && end <= created ? end : start;
}
