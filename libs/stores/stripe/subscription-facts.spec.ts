import type Stripe from 'stripe';
import {
  type SubscriptionFacts,
  deriveState,
  explainAddOns,
  newSubscription,
  noSubscriptionFacts,
} from '../../engine/index.js';
import { inLightOfKnown } from './known-facts.js';
import type { StripeHistory } from './stripe-api.js';
import { subscriptionFacts } from './subscription-facts.js';

const DAY_S = 86_400;
const START_S = Date.UTC(2026, 0, 1) / 1000;
const day = (count: number): number => START_S + count * DAY_S;

interface Sold {
  id: string;
  product: string;
  from: number;
  to: number;
  amount?: number;
  metered?: boolean;
}

function itemOf({ id, product, from, to, metered = false }: Sold): object {
  return {
    id,
    created: day(0),
    current_period_start: day(from),
    current_period_end: day(to),
    quantity: 1,
    price: {
      id: `price_${product}`,
      product,
      recurring: { usage_type: metered ? 'metered' : 'licensed' },
    },
  };
}

function invoiceOf(id: string, atDay: number, sold: Sold[], paid: number): object {
  const lines = sold.map(({ id: item, product, from, to, amount = 0 }) => ({
    id: `il_${id}_${item}`,
    amount,
    period: { start: day(from), end: day(to) },
    quantity: 1,
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { proration: false, subscription_item: item },
    },
    pricing: { price_details: { price: `price_${product}`, product } },
  }));
  return {
    id,
    status: 'paid',
    created: day(atDay),
    billing_reason: atDay === 0 ? 'subscription_create' : 'subscription_cycle',
    currency: 'usd',
    amount_paid: paid,
    payments: { data: [] },
    lines: { data: lines, has_more: false },
  };
}

/** `invoices` are newest first. */
function historyOf(items: Sold[], invoices: object[]): StripeHistory {
  const subscription = {
    id: 'sub_1',
    status: 'active',
    currency: 'usd',
    customer: 'cus_1',
    livemode: true,
    items: { data: items.map(itemOf) },
    start_date: day(0),
    billing_cycle_anchor: day(0),
    trial_start: null,
    trial_end: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: null,
    ended_at: null,
    pause_collection: null,
    schedule: null,
  } as unknown as Stripe.Subscription;
  return {
    subscription,
    invoices: invoices as Stripe.Invoice[],
    charges: new Map(),
    credited: new Map(),
    hasMore: false,
  };
}

function stateOn(atDay: number, history: StripeHistory) {
  const reported = subscriptionFacts(history, day(atDay) * 1000);
  if (reported === null) throw new Error('nothing was paid');
  return { facts: reported.facts, state: deriveState(reported.facts, day(atDay) * 1000) };
}

it('gives an item that is billed more often than the first its own periods', () => {
  const base = { id: 'si_1', product: 'prod_year', from: 0, to: 365, amount: 8_000 };
  const often = (from: number) => ({ id: 'si_2', product: 'prod_extra', from, to: from + 30, amount: 300 });
  const invoices = [invoiceOf('in_2', 30, [often(30)], 300), invoiceOf('in_1', 0, [base, often(0)], 8_300)];
  const { facts, state } = stateOn(40, historyOf([base, often(30)], invoices));
  expect(Object.keys(facts.periods)).toEqual(['in_1']);
  expect(facts.periods.in_1?.value.price.amountMicros).toBe(80_000_000);
  expect(state).toMatchObject({ storeProductId: 'prod_year', accessEndsAtMs: day(365) * 1000 });
  expect(state.addOns).toEqual([
    expect.objectContaining({
      storeProductId: 'prod_extra',
      accessEndsAtMs: day(60) * 1000,
      price: { amountMicros: 3_000_000, currency: 'USD', source: 'store' },
    }),
  ]);
});

it('unlocks a metered item for as long as the period runs', () => {
  const base = { id: 'si_2', product: 'prod_pro', from: 30, to: 60, amount: 1_000 };
  const used = { id: 'si_1', product: 'prod_used', from: 0, to: 30, amount: 77, metered: true };
  const invoices = [invoiceOf('in_2', 30, [used, base], 1_077)];
  const { state } = stateOn(40, historyOf([{ ...used, from: 30, to: 60 }, base], invoices));
  expect(state).toMatchObject({ storeProductId: 'prod_pro', price: { amountMicros: 10_770_000 } });
  expect(state.addOns.map(({ storeProductId, givesAccess }) => [storeProductId, givesAccess])).toEqual([
    ['prod_used', true],
  ]);
});

describe('a metered subscription', () => {
  const used = (amount: number) => ({
    ...{ id: 'si_1', product: 'prod_used', from: 0, to: 30, amount, metered: true },
  });
  const item = { ...used(0), from: 30, to: 60 };
  const first = invoiceOf('in_1', 0, [used(0)], 0);
  const second = invoiceOf('in_2', 30, [used(77)], 77);
  const termsOf = ({ periods }: ReturnType<typeof stateOn>['facts']) =>
    Object.entries(periods)
      .map(([key, { value }]) => [key, value.startMs, value.endMs, value.price.amountMicros])
      .sort();

  it('begins with an invoice that bills nothing yet', () => {
    const { state, facts } = stateOn(3, historyOf([used(0)], [first]));
    expect(termsOf(facts)).toEqual([['in_1', day(0) * 1000, day(30) * 1000, 0]]);
    expect(state).toMatchObject({ storeProductId: 'prod_used', givesAccess: true });
  });

  it('continues with each invoice for the usage of the previous period', () => {
    const { state, facts } = stateOn(40, historyOf([item], [second, first]));
    expect(termsOf(facts)).toEqual([
      ['in_1', day(0) * 1000, day(30) * 1000, 0],
      ['in_2', day(30) * 1000, day(60) * 1000, 770_000],
    ]);
    expect(facts.periods.in_2?.value.isRenewal).toBe(true);
    expect(state).toMatchObject({ givesAccess: true, accessEndsAtMs: day(60) * 1000 });
  });

  it('counts as paid until the end of a period whose usage was not paid', () => {
    const history = historyOf([item], [{ ...second, status: 'open', amount_paid: 0 }, first]);
    const { facts } = stateOn(40, history);
    expect(termsOf(facts)).toEqual([['in_1', day(0) * 1000, day(30) * 1000, 0]]);
  });

  it.each([45, 60])('ends on day %d with an invoice for the last use, which begins no period', (end) => {
    const last = invoiceOf('in_3', end, [{ ...used(23), from: 30, to: end }], 23);
    const history = historyOf([item], [last, second, first]);
    Object.assign(history.subscription, { status: 'canceled', ended_at: day(end) });
    const { state, facts } = stateOn(70, history);
    expect(termsOf(facts)).toEqual([
      ['in_1', day(0) * 1000, day(30) * 1000, 0],
      ['in_2', day(30) * 1000, day(60) * 1000, 770_000],
    ]);
    expect(facts.extras?.in_3?.value).toMatchObject({ chargeKey: 'in_2', price: { amountMicros: 230_000 } });
    expect(state).toMatchObject({ givesAccess: false, accessEndsAtMs: day(end) * 1000 });
  });
});

describe('an add-on that was removed before the subscription was canceled', () => {
  const base = { id: 'si_1', product: 'prod_year', from: 0, to: 365, amount: 8_000 };
  const extra = { ...base, id: 'si_2', product: 'prod_extra', amount: 300 };
  const sold = invoiceOf('in_1', 0, [base, extra], 8_300);
  const credit = invoiceOf('in_2', 30, [{ ...extra, from: 30, amount: -275 }], 0);
  const [line] = (credit as unknown as Stripe.Invoice).lines.data;
  Object.assign(line?.parent?.subscription_item_details ?? {}, { proration: true });
  const canceled = (invoices: object[]): StripeHistory => {
    const history = historyOf([base], invoices);
    Object.assign(history.subscription, { status: 'canceled', ended_at: day(100) });
    return history;
  };
  const settled = (history: StripeHistory, atDay: number, known = noSubscriptionFacts) => {
    const atMs = day(atDay) * 1000;
    const reported = subscriptionFacts(history, atMs);
    if (reported === null) throw new Error('nothing was paid');
    return inLightOfKnown(reported, atMs)(reported.facts, known);
  };
  const unknown = newSubscription({
    id: 'subscription',
    store: 'stripe',
    environment: 'production',
    storeKey: 'sub_1',
  });
  const explained = (facts: SubscriptionFacts) =>
    explainAddOns({ ...unknown, facts }, day(120) * 1000, () => true);

  it.each<[string, () => SubscriptionFacts, number]>([
    ['when an invoice shows it', () => settled(canceled([credit, sold]), 120), 30],
    ['when it was seen', () => settled(canceled([sold]), 120, settled(historyOf([base], [sold]), 40)), 40],
    ['at the latest with the subscription', () => settled(canceled([sold]), 120), 100],
  ])('counts as over by then, %s', (_, factsOf, end) => {
    const facts = factsOf();
    expect(facts.ends?.['in_1+si_2']?.expired?.value).toBe(day(end) * 1000);
    expect(facts.ends?.in_1?.expired?.value).toBe(day(100) * 1000);
    expect(explained(facts)).toEqual([
      expect.objectContaining({ givesAccess: false, cause: 'expiry', sinceMs: day(end) * 1000 }),
    ]);
  });

  it('keeps its end even if no invoice ever named it', () => {
    const added = { ...invoiceOf('in_1', 0, [base], 8_000) };
    const running = settled(historyOf([base, extra], [added]), 10);
    const removed = settled(historyOf([base], [added]), 30, running);
    const known = { ...removed, addOns: { ...running.addOns, ...removed.addOns } };
    expect(settled(canceled([added]), 120, known).ends?.['in_1+si_2']?.expired?.value).toBe(day(30) * 1000);
    expect(settled(canceled([added]), 120, running).ends?.['in_1+si_2']?.expired?.value).toBe(
      day(100) * 1000,
    );
  });

  it('expired with its paid period', () => {
    const month = invoiceOf('in_1', 0, [base, { ...extra, to: 30 }], 8_300);
    expect(settled(canceled([month]), 120).ends?.['in_1+si_2']).toBeUndefined();
  });
});

it('merges two prices of one product into one product with the total amount', () => {
  const base = { id: 'si_1', product: 'prod_pro', from: 0, to: 30, amount: 1_000 };
  const seats = { ...base, id: 'si_2', amount: 500 };
  const { facts, state } = stateOn(3, historyOf([base, seats], [invoiceOf('in_1', 0, [base, seats], 1_500)]));
  expect(facts.addOns).toBeUndefined();
  expect(state.price.amountMicros).toBe(15_000_000);
});

it('divides the amount after taxes and discounts among the items without loss', () => {
  const base = { id: 'si_1', product: 'prod_pro', from: 0, to: 30, amount: 1_000 };
  const others = ['a', 'b'].map((name) => ({
    ...base,
    id: `si_${name}`,
    product: `prod_${name}`,
    amount: 333,
  }));
  const invoice = {
    ...invoiceOf('in_1', 0, [base, ...others], 1_001),
    total_discount_amounts: [{ amount: 965, discount: 'di_1' }],
    total_taxes: [{ amount: 300, tax_behavior: 'exclusive' }],
  };
  const { facts } = stateOn(3, historyOf([base, ...others], [invoice]));
  const amounts = [facts.periods.in_1, ...Object.values(facts.addOns ?? {})].map(
    (register) => register?.value.price.amountMicros ?? 0,
  );
  expect(amounts).toHaveLength(3);
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(10_010_000);
});

describe('a first period that is free until a later billing anchor', () => {
  const base = (from: number, to: number, product = 'prod_pro') => ({ id: 'si_1', product, from, to });
  const free = (items: Sold[], invoices: object[], changes: object = {}): StripeHistory => {
    const history = historyOf(items, invoices);
    Object.assign(history.subscription, { billing_cycle_anchor: day(10), ...changes });
    return history;
  };
  const unpaid = (status: string, more: object = {}) => ({
    ...invoiceOf('in_1', 10, [{ ...base(10, 40), amount: 999 }], 0),
    ...{ status, next_payment_attempt: null, ...more },
  });
  const term = { startMs: day(0) * 1000, endMs: day(10) * 1000, kind: 'normal', isRenewal: false };

  it.each<[string, number, object[], object]>([
    ['while its first invoice is a draft', 10, [unpaid('draft')], {}],
    [
      'while its first invoice is collected',
      11,
      [unpaid('open', { next_payment_attempt: day(14) })],
      { status: 'past_due' },
    ],
  ])('counts %s, and access continues', (_, atDay, invoices, changes) => {
    const { facts, state } = stateOn(atDay, free([base(10, 40)], invoices, changes));
    expect(Object.values(facts.periods).map(({ value }) => value)).toEqual([expect.objectContaining(term)]);
    expect(state.givesAccess).toBe(true);
  });

  it('ends if the subscription is ended within it', () => {
    const ended = { status: 'canceled', ended_at: day(4) };
    const { state } = stateOn(5, free([base(0, 10)], [], ended));
    expect(state).toMatchObject({ givesAccess: false, accessEndsAtMs: day(4) * 1000 });
  });

  it('ends unpaid if the first invoice is never paid', () => {
    const ended = {
      status: 'canceled',
      ended_at: day(20),
      cancellation_details: { reason: 'payment_failed' },
    };
    const { facts, state } = stateOn(21, free([base(10, 40)], [unpaid('void')], ended));
    expect(Object.keys(facts.periods)).toEqual(['sub_1.start']);
    expect(state.givesAccess).toBe(false);
  });

  it('stays before later paid periods, with its own product', () => {
    const paid = invoiceOf('in_1', 10, [{ ...base(10, 40, 'prod_gold'), amount: 999 }], 999);
    const before = stateOn(3, free([base(0, 10)], [])).facts;
    const history = free([base(10, 40, 'prod_gold')], [paid], { billing_cycle_anchor: day(25) });
    const reported = subscriptionFacts(history, day(12) * 1000);
    if (reported === null) throw new Error('nothing was paid');
    const { periods } = inLightOfKnown(reported, day(12) * 1000)(reported.facts, before);
    expect(periods['sub_1.start']?.value).toMatchObject({ ...term, storeProductId: 'prod_pro' });
    expect(periods.in_1?.value).toMatchObject({ storeProductId: 'prod_gold', isRenewal: true });
  });

  it.each<[string, Partial<StripeHistory>, object[]]>([
    ['when older invoices are not known', { hasMore: true }, [unpaid('open')]],
    ['when the first invoice is not paid', {}, [unpaid('open', { billing_reason: 'subscription_create' })]],
  ])('stays absent %s', (_, more, invoices) => {
    expect(subscriptionFacts({ ...free([base(10, 40)], invoices), ...more }, day(12) * 1000)).toBeNull();
  });
});

it('derives no facts from a subscription without a payment', () => {
  const open = { ...invoiceOf('in_1', 0, [], 0), status: 'open' };
  expect(
    subscriptionFacts(historyOf([{ id: 'si_1', product: 'prod_pro', from: 0, to: 30 }], [open]), 0),
  ).toBeNull();
});
