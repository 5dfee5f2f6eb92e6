import type Stripe from 'stripe';
import { noOneTimeFacts, type OneTimeFacts } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { microsOf } from './amounts.js';
import { type MoneyBack, moneyBack } from './refunds.js';
import { idOf, type StripeSession } from './stripe-api.js';

export interface BoughtItem {
  key: string;
  facts: OneTimeFacts;
}

function chargeOf({ payment_intent: intent }: StripeSession): Stripe.Charge | null {
  const charge = typeof intent === 'object' ? intent?.latest_charge : null;
  return typeof charge === 'object' ? charge : null;
}

/** An item's share of the payment's refund. */
function refundOf(
  back: MoneyBack | null,
  item: { amountMicros: number; quantity: number },
  totalMicros: number,
): { refundedAtMs: number | null; quantity: number; amountMicros?: number } | null {
  if (back === null) return null;
  const { amountMicros, lastAtMs } = back;
  const { quantity } = item;
  if (amountMicros === 0) return { refundedAtMs: null, quantity: 0 };
  if (amountMicros >= totalMicros) return { refundedAtMs: lastAtMs, quantity };
  const share = Math.round((item.amountMicros * amountMicros) / totalMicros);
  return { refundedAtMs: lastAtMs, quantity: 0, amountMicros: share };
}

/** The key of an item sold in a session: its payment, and the item's index. */
export function paymentKeyOf(session: StripeSession, index = 0): string {
  const payment = idOf(session.payment_intent) ?? session.id;
  return index === 0 ? payment : `${payment}:${index}`;
}

/** Without a calculation of taxes, Stripe reports zero. */
function taxOf(
  session: StripeSession,
  { amount_tax: tax, currency }: Stripe.LineItem,
): { taxMicros?: number } {
  const isKnown = session.automatic_tax?.status === 'complete' || tax > 0;
  return isKnown ? { taxMicros: microsOf(tax, currency) } : {};
}

export function checkoutFacts(session: StripeSession, at: number): BoughtItem[] {
  const charge = chargeOf(session);
  const back = moneyBack(charge ? [charge] : []);
  const currency = session.currency ?? 'usd';
  const totalMicros = microsOf(session.amount_total ?? 0, currency);
  const country = alpha2Country(session.customer_details?.address?.country);
  return (session.line_items?.data ?? []).map((item, index) => {
    const key = paymentKeyOf(session, index);
    const amountMicros = microsOf(item.amount_total, currency);
    const quantity = item.quantity ?? 1;
    const refund = refundOf(back, { amountMicros, quantity }, totalMicros);
    const value = {
      storeProductId: idOf(item.price?.product) ?? '',
      planId: item.price?.id ?? null,
      purchasedAtMs: (charge?.created ?? session.created) * 1_000,
      expiresAtMs: null,
      price: { amountMicros, currency: currency.toUpperCase(), source: 'store' as const },
      quantity,
      ownership: 'purchased' as const,
      storeTransactionId: key,
      country,
      ...taxOf(session, item),
    };
    const facts: OneTimeFacts = {
      ...noOneTimeFacts,
      purchase: { at, src: 'api', value },
      refund: refund && { at, src: 'api', value: refund },
    };
    return { key, facts };
  });
}
