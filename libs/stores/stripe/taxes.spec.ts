import type Stripe from 'stripe';
import { checkoutFacts } from './checkout-facts.js';
import type { StripeHistory, StripeSession } from './stripe-api.js';
import { subscriptionFacts } from './subscription-facts.js';

const START_S = Date.UTC(2026, 10, 1) / 1_000;
const MONTH_S = 30 * 86_400;
const NOW_MS = (START_S + 86_400) * 1_000;

type Taxes = { amount: number; tax_behavior: 'exclusive' | 'inclusive' }[];
const exclusive = (amount: number): Taxes => [{ amount, tax_behavior: 'exclusive' }];
const inclusive = (amount: number): Taxes => [{ amount, tax_behavior: 'inclusive' }];

interface Sold {
  amount: number;
  taxes?: Taxes;
  product?: string;
  once?: boolean;
}

function lineOf({ amount, taxes, product = 'prod_pro', once = false }: Sold, index: number): object {
  const item = {
    type: 'subscription_item_details',
    subscription_item_details: { subscription_item: 'si_1' },
  };
  return {
    id: `il_${index}`,
    amount,
    taxes,
    quantity: 1,
    period: { start: START_S, end: START_S + MONTH_S },
    parent: once ? { type: 'invoice_item_details', invoice_item_details: { proration: false } } : item,
    pricing: { price_details: { price: `price_${product}`, product } },
  };
}

/** A subscription for a month, with one paid invoice. */
function historyOf(lines: Sold[], paid: number, invoice: object = {}): StripeHistory {
  const product = lines[0]?.product ?? 'prod_pro';
  const item = {
    id: 'si_1',
    created: START_S,
    current_period_start: START_S,
    current_period_end: START_S + MONTH_S,
    quantity: 1,
    price: { id: `price_${product}`, product, recurring: { usage_type: 'licensed' } },
  };
  const paidInvoice = {
    id: 'in_1',
    status: 'paid',
    created: START_S,
    billing_reason: 'subscription_create',
    currency: 'eur',
    amount_paid: paid,
    customer_address: { country: 'ES' },
    payments: { data: [] },
    lines: { data: lines.map(lineOf), has_more: false },
    ...invoice,
  };
  const subscription = {
    id: 'sub_1',
    status: 'active',
    currency: 'eur',
    customer: 'cus_1',
    livemode: true,
    items: { data: [item] },
    start_date: START_S,
    billing_cycle_anchor: START_S,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_start: null,
    trial_end: null,
    pause_collection: null,
    schedule: null,
  };
  return {
    subscription: subscription as unknown as Stripe.Subscription,
    invoices: [paidInvoice] as unknown as Stripe.Invoice[],
    charges: new Map(),
    credited: new Map(),
    hasMore: false,
  };
}

function periodOf(history: StripeHistory): { amountMicros: number | null; taxMicros?: number } | undefined {
  const { price, taxMicros } = subscriptionFacts(history, NOW_MS)?.facts.periods.in_1?.value ?? {};
  return price && { amountMicros: price.amountMicros, ...(taxMicros !== undefined && { taxMicros }) };
}

describe('taxes of Stripe invoices', () => {
  it.each<[string, Sold, number]>([
    ['on top of the price', { amount: 1_000, taxes: exclusive(210) }, 1_210],
    ['included in the price', { amount: 1_210, taxes: inclusive(210) }, 1_210],
  ])('records a tax that is %s', (_, line, paid) => {
    expect(periodOf(historyOf([line], paid))).toEqual({ amountMicros: 12_100_000, taxMicros: 2_100_000 });
  });

  it('records a tax that only the whole invoice names', () => {
    const history = historyOf([{ amount: 1_000 }], 1_210, { total_taxes: exclusive(210) });
    expect(periodOf(history)).toEqual({ amountMicros: 12_100_000, taxMicros: 2_100_000 });
  });

  it('distinguishes a tax of zero from an unknown one', () => {
    expect(periodOf(historyOf([{ amount: 1_000, taxes: exclusive(0) }], 1_000))).toHaveProperty(
      'taxMicros',
      0,
    );
    for (const unknown of [{}, { total_taxes: null }, { total_taxes: [] }]) {
      expect(periodOf(historyOf([{ amount: 1_000 }], 1_000, unknown))).toEqual({ amountMicros: 10_000_000 });
    }
  });

  it('divides the tax among the subscription, what it sold once, and the rest', () => {
    const lines = [
      { amount: 1_000, taxes: exclusive(210) },
      { amount: 500, taxes: exclusive(105), product: 'prod_book', once: true },
      { amount: 200, taxes: exclusive(20), product: 'prod_set_up', once: true },
    ];
    const history = historyOf(lines, 2_035);
    const isBook = (names: readonly string[]): boolean => names.includes('prod_book');
    const reported = subscriptionFacts(history, NOW_MS, isBook);
    expect(reported?.facts.periods.in_1?.value.taxMicros).toBe(2_100_000);
    expect(reported?.bought.map(({ facts }) => facts.purchase?.value.taxMicros)).toEqual([1_050_000]);
    expect(reported?.facts.extras?.in_1?.value).toMatchObject({
      price: { amountMicros: 2_200_000 },
      taxMicros: 200_000,
    });
  });
});

describe('taxes of Stripe checkout sessions', () => {
  const taxOf = (session: object, tax: number): number | undefined => {
    const item = {
      amount_total: 1_210,
      amount_tax: tax,
      currency: 'eur',
      quantity: 1,
      price: { id: 'price_1' },
    };
    const whole = {
      id: 'cs_1',
      currency: 'eur',
      amount_total: 1_210,
      created: START_S,
      line_items: { data: [item] },
      ...session,
    };
    const [bought] = checkoutFacts(whole as unknown as StripeSession, NOW_MS);
    return bought?.facts.purchase?.value.taxMicros;
  };

  it('records the tax of an item', () => {
    expect(taxOf({}, 210)).toBe(2_100_000);
  });

  it('records a tax of zero only if Stripe calculated it', () => {
    expect(taxOf({ automatic_tax: { enabled: true, status: 'complete' } }, 0)).toBe(0);
    expect(taxOf({ automatic_tax: { enabled: false, status: null } }, 0)).toBeUndefined();
    expect(taxOf({}, 0)).toBeUndefined();
  });
});
