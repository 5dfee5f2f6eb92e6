import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { Json } from '../support/api-client.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { invoiceFigures } from '../support/invoice-figures.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeLine, StripeStart } from '../support/fake-stripe/fake-stripe-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, premium, setUp, book, yen } = fakePrices;

describe('invoices of a Stripe subscription', () => {
  let world: StripeWorld;
  let count = 0;
  const newAppUserId = () => `user-${++count}`;

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  afterAll(() => world.close());

  it.each([
    ['is charged in part', 333],
    ['is free', null],
  ])('counts a first period until a later date of renewal %s, and those after it', async (_, amount) => {
    const user = newAppUserId();
    const life = world.stripe.subscribe(monthly, { firstDays: 10, firstAmount: amount });
    expect((await world.post(user, life.id)).status).toBe(200);
    expect(await world.subscription(user)).toMatchObject({
      status: 'active',
      current_period_ends_at: world.stripe.now() * 1000 + 10 * DAY_MS,
      total_revenue_in_usd: { gross: (amount ?? 0) / 100 },
    });
    world.clock.advanceMs(10 * DAY_MS);
    await world.notify(life.renew());
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  describe('after a free first period', () => {
    const begun = async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { firstDays: 10, firstAmount: null });
      expect((await world.post(user, life.id)).status).toBe(200);
      return { user, life };
    };
    const hasAccess = async (user: string) => (await world.subscription(user)).gives_access;

    it('access continues while the first invoice is a draft, also for a customer who posts it then', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.beginPeriod());
      expect(await hasAccess(user)).toBe(true);
      expect((await world.post(user, life.id)).status).toBe(200);
      await world.notify(life.renew());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('treats a failed first invoice as a billing issue', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.fail(5));
      expect(await hasAccess(user)).toBe(true);
      expect(await world.events(user)).toContain('BILLING_ISSUE');
    });

    it('ends access for a customer who is cut off within it', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(4 * DAY_MS);
      await world.notify(life.terminate('cancellation_requested'));
      expect(await hasAccess(user)).toBe(false);
      expect(await world.events(user)).toContain('EXPIRATION/UNSUBSCRIBE');
    });
  });

  it('finds a renewal behind the lines for everything that changed before', async () => {
    const user = newAppUserId();
    const life = world.stripe.subscribe();
    await world.post(user, life.id);
    world.clock.advanceMs(30 * DAY_MS);
    const event = life.renew();
    const [line] = life.latest.lines;
    const parent = { type: 'invoice_item_details', subscription_item_details: null };
    const changes = Array.from({ length: 120 }, (_, index) => ({
      ...line,
      id: `il_${index}`,
      amount: 1,
      parent,
    }));
    life.latest.lines.unshift(...changes);
    await world.notify(event);
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it('waits for the newest of many long invoices only, and for no unpaid one', async () => {
    const user = newAppUserId();
    const life = world.stripe.subscribe();
    for (let month = 0; month < 20; month++) life.renew();
    life.fail(5);
    for (const { lines } of life.invoices) {
      const [line] = lines;
      const parent = { type: 'invoice_item_details', subscription_item_details: null };
      lines.unshift(
        ...Array.from({ length: 11 }, (_, index) => ({
          ...line,
          id: `il_more${index}`,
          amount: 1,
          parent,
        })),
      );
    }
    const read = () =>
      world.api.calls.map(({ path }) => path).filter((path) => /^\/v1\/invoices\/\w+\/lines$/.test(path));
    const before = read().length;
    world.clock.advanceMs(20 * 30 * DAY_MS);
    expect((await world.post(user, life.id)).status).toBe(200);
    expect(read().slice(before).sort()).toEqual(
      life.invoices
        .slice(1, 11)
        .map(({ id }) => `/v1/invoices/${id}/lines`)
        .sort(),
    );
    expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(10 * 9.99, 2);
    world.clock.advanceMs(60_000);
    await world.server.app.get(StoreRefreshJob).drain();
    expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(21 * 9.99, 2);
  });

  it('reads a long history in pages, the rest of it in the background', async () => {
    const user = newAppUserId();
    const life = world.stripe.subscribe();
    for (let month = 0; month < 130; month++) life.renew();
    world.clock.advanceMs(130 * 30 * DAY_MS);
    await world.post(user, life.id);
    expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(100 * 9.99, 2);
    world.clock.advanceMs(60_000);
    await world.server.app.get(StoreRefreshJob).drain();
    expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(131 * 9.99, 2);
  });

  describe('money of an invoice', () => {
    const days = (count: number): void => world.clock.advanceMs(count * DAY_MS);
    const month = (more: Partial<FakeLine> = {}): FakeLine => ({
      ...{ of: 'item', price: monthly, amount: 999, from: 0, to: 30 },
      ...more,
    });
    const once = (more: Partial<FakeLine> = {}): FakeLine => ({
      ...{ of: 'once', price: setUp, amount: 2500 },
      ...more,
    });
    const begun = async (start: StripeStart, price = monthly) => {
      // Everything that other tests sold is over.
      days(100);
      const user = newAppUserId();
      const life = world.stripe.subscribe(price, start);
      expect((await world.post(user, life.id)).status).toBe(200);
      return { user, life, now: () => invoiceFigures(world, user) };
    };

    it.each<[string, FakeLine[], StripeStart, object]>([
      [
        'a setup fee',
        [month(), once()],
        {},
        {
          prices: [['INITIAL_PURCHASE', 9.99]],
          ledger: ['proration 25', 'purchase 9.99'],
          paid: 34.99,
          mrr: 9.99,
        },
      ],
      [
        'the time before a backdated start',
        [month({ amount: 1500, from: -45, to: 0, proration: true }), month()],
        { backdatedDays: 45 },
        {
          prices: [['INITIAL_PURCHASE', 9.99]],
          ledger: ['proration 15', 'purchase 9.99'],
          paid: 24.99,
          mrr: 9.99,
        },
      ],
      [
        'a discount on everything',
        [month({ discount: 200 }), once({ discount: 500 })],
        {},
        {
          prices: [['INITIAL_PURCHASE', 7.99]],
          ledger: ['proration 20', 'purchase 7.99'],
          paid: 27.99,
          mrr: 7.99,
        },
      ],
      [
        'a tax on top',
        [month({ tax: 200 }), once({ tax: 500 })],
        {},
        {
          prices: [['INITIAL_PURCHASE', 11.99]],
          ledger: ['proration 30', 'purchase 11.99'],
          paid: 41.99,
          mrr: 11.99,
        },
      ],
      [
        'a tax that is included',
        [month({ taxIncluded: 167 })],
        {},
        { prices: [['INITIAL_PURCHASE', 9.99]], ledger: ['purchase 9.99'], paid: 9.99, mrr: 9.99 },
      ],
      [
        'a product that the catalog sells once',
        [month(), once({ price: book })],
        {},
        {
          prices: [
            ['INITIAL_PURCHASE', 9.99],
            ['NON_RENEWING_PURCHASE', 25],
          ],
          ledger: ['one_time 25', 'purchase 9.99'],
          paid: 34.99,
          mrr: 9.99,
        },
      ],
    ])('counts the recurring price alone beside %s', async (_, lines, start, expected) => {
      const { now, user } = await begun({ lines, ...start });
      expect(await now()).toEqual(expected);
      const startMs = world.stripe.now() * 1000;
      expect((await world.subscription(user)).current_period_starts_at).toBe(startMs);
    });

    it('counts a discount that applies once in its own period only', async () => {
      const { life, now } = await begun({ lines: [month({ discount: 200 })] });
      days(30);
      await world.notify(life.renew());
      expect(await now()).toMatchObject({
        prices: [
          ['INITIAL_PURCHASE', 7.99],
          ['RENEWAL', 9.99],
        ],
        mrr: 9.99,
      });
    });

    it('counts an invoice item at a renewal as revenue alone', async () => {
      const { life, now } = await begun({});
      life.addInvoiceItem(setUp, 5000);
      days(30);
      await world.notify(life.renew());
      expect(await now()).toEqual({
        prices: [
          ['INITIAL_PURCHASE', 9.99],
          ['RENEWAL', 9.99],
        ],
        ledger: ['proration 50', 'purchase 9.99', 'renewal 9.99'],
        paid: 69.98,
        mrr: 9.99,
      });
    });

    it('values an upgrade in the middle at the new price and books what was charged for it', async () => {
      const { user, life, now } = await begun({});
      days(15);
      await world.notify(life.exchange(premium, { dueNow: 500 }));
      const upgraded = await now();
      expect(upgraded).toEqual({
        prices: [
          ['INITIAL_PURCHASE', 9.99],
          ['PRODUCT_CHANGE', 0],
        ],
        ledger: ['proration 5', 'purchase 9.99'],
        paid: 14.99,
        mrr: 19.99,
      });
      expect((await world.post(user, life.id)).status).toBe(200);
      expect(await now()).toEqual(upgraded);
      days(15);
      await world.notify(life.renew());
      expect(await now()).toMatchObject({ paid: 34.98, mrr: 19.99 });
      expect((await now()).prices.at(-1)).toEqual(['RENEWAL', 19.99]);
    });

    it('shows an upgrade in the middle as an expansion on its day', async () => {
      const { life } = await begun({});
      days(15);
      await world.notify(life.exchange(premium, { dueNow: 500 }));
      days(1);
      const day = (daysAgo: number) =>
        new Date(world.clock.nowMs() - daysAgo * DAY_MS).toISOString().slice(0, 10);
      const chart = async (name: string): Promise<Json> => {
        const range = `start_date=${day(2)}&end_date=${day(0)}&resolution=day`;
        const answer = await world.backend.get(`${world.path}/charts/${name}?${range}`);
        expect(answer.status).toBe(200);
        return answer.body;
      };
      await world.server.app.get(ChartsRollupJob).run();
      const values = (body: Json, measure: string): number[] => {
        const index = (body.measures as Json[]).findIndex(({ display_name: name }) => name === measure);
        return (body.values as Json[])
          .filter((one) => one.measure === index)
          .map(({ value }) => value as number);
      };
      expect(values(await chart('mrr'), 'MRR')).toEqual([9.99, 19.99, 19.99]);
      expect(values(await chart('mrr_movement'), 'Expansion MRR')).toEqual([0, 10, 0]);
      expect(values(await chart('revenue'), 'Revenue')).toEqual([0, 5, 0]);
    });

    it('keeps the credit of a downgrade for the next renewal', async () => {
      const { life, now } = await begun({}, premium);
      days(15);
      await world.notify(life.exchange(monthly, { dueNow: -500 }));
      expect(await now()).toMatchObject({ ledger: ['purchase 19.99'], paid: 19.99, mrr: 9.99 });
      days(15);
      await world.notify(life.renew());
      expect(await now()).toMatchObject({
        ledger: ['proration -5', 'purchase 19.99', 'renewal 9.99'],
        paid: 24.98,
        mrr: 9.99,
      });
    });

    it('values another quantity and an upgrade that is not billed, from when they are seen', async () => {
      const { life, now } = await begun({});
      days(10);
      await world.notify(life.changeQuantity(3));
      expect(await now()).toMatchObject({ ledger: ['purchase 9.99'], mrr: 29.97 });
      await world.notify(life.exchange(premium));
      expect((await now()).mrr).toBe(59.97);
    });

    it('divides an invoice in yen without decimals', async () => {
      const { now } = await begun(
        { lines: [month({ price: yen, amount: 1500 }), once({ amount: 3000 })] },
        yen,
      );
      expect(await now()).toMatchObject({
        prices: [['INITIAL_PURCHASE', 1500]],
        ledger: ['proration 3000', 'purchase 1500'],
      });
    });

    it('returns everything that was paid with a full refund', async () => {
      const { life, now } = await begun({ lines: [month(), once()] });
      days(1);
      await world.notify(life.refund());
      expect(await now()).toMatchObject({
        prices: [
          ['INITIAL_PURCHASE', 9.99],
          ['CANCELLATION', -34.99],
          ['EXPIRATION', 0],
        ],
        ledger: ['proration 25', 'purchase 9.99', 'refund -34.99'],
        paid: 0,
        mrr: 0,
      });
    });
  });

  describe('several periods that are paid at once', () => {
    const line = (index: number): FakeLine => ({
      ...{ of: 'item', price: monthly, amount: 999, from: index * 30, to: index * 30 + 30 },
    });
    const begun = async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { lines: [line(0), line(1), line(2)] });
      const startMs = world.stripe.now() * 1000;
      expect((await world.post(user, life.id)).status).toBe(200);
      return { user, life, startMs };
    };

    it('lists them one after another, and none as bought in the future', async () => {
      const { user, startMs } = await begun();
      expect(await world.subscription(user)).toMatchObject({
        current_period_starts_at: startMs,
        current_period_ends_at: startMs + 30 * DAY_MS,
        ends_at: startMs + 90 * DAY_MS,
      });
      const { prices, paid, purchasedAt } = await invoiceFigures(world, user, { withTimes: true });
      expect(prices).toEqual([
        ['INITIAL_PURCHASE', 9.99],
        ['RENEWAL', 9.99],
        ['RENEWAL', 9.99],
      ]);
      expect(paid).toBe(29.97);
      expect(purchasedAt?.filter((time) => time > startMs)).toEqual([]);
      world.clock.advanceMs(35 * DAY_MS);
      expect(await world.subscription(user)).toMatchObject({
        current_period_starts_at: startMs + 30 * DAY_MS,
        gives_access: true,
      });
    });

    it('ends them with the subscription, even those that have not begun', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      const endedMs = world.stripe.now() * 1000;
      await world.notify(life.terminate('cancellation_requested'));
      expect(await world.subscription(user)).toMatchObject({
        gives_access: false,
        ends_at: endedMs,
      });
    });

    it('lasts as long as the line if that is longer than what the item shows', async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { lines: [{ ...line(0), amount: 2997, to: 90 }] });
      const startMs = world.stripe.now() * 1000;
      expect((await world.post(user, life.id)).status).toBe(200);
      expect((await world.subscription(user)).current_period_ends_at).toBe(startMs + 90 * DAY_MS);
    });
  });

  it('ends access for a refund of a payment without a payment intent', async () => {
    const user = newAppUserId();
    const life = world.stripe.subscribe(monthly, { oldSource: true });
    expect((await world.post(user, life.id)).status).toBe(200);
    world.clock.advanceMs(DAY_MS);
    await world.notify(life.refund());
    expect(await world.events(user)).toEqual([
      'INITIAL_PURCHASE',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
    ]);
    expect((await world.subscription(user)).gives_access).toBe(false);
  });

  describe('a checkout of a subscription and a product that is sold once', () => {
    const mixed: FakeLine[] = [
      { of: 'item', price: monthly, amount: 999, from: 0, to: 30 },
      { of: 'once', price: book, amount: 2500 },
    ];
    const begun = () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { lines: mixed });
      const { session } = world.stripe.checkout([{ price: monthly }, { price: book }], {
        mode: 'subscription',
        subscription: life.id,
      });
      return { user, life, session };
    };
    /** Whether the subscription and the product give access. */
    const owned = async (user: string): Promise<boolean[]> => {
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      return [
        (await world.subscription(user)).gives_access,
        Object.keys(subscriber.non_subscriptions).includes(book.product),
      ];
    };
    const bought = [
      ['INITIAL_PURCHASE', 9.99],
      ['NON_RENEWING_PURCHASE', 25],
    ];

    it('records both, once, in whatever order and however often it is reported', async () => {
      const { user, life, session } = begun();
      await world.notify(life.updated());
      expect((await world.post(user, session.id)).status).toBe(200);
      expect((await world.post(user, life.id)).status).toBe(200);
      await world.notify(world.stripe.event('checkout.session.completed', session));
      const charge = { ...life.charge };
      await world.notify(world.stripe.event('charge.updated', charge));
      expect(await owned(user)).toEqual([true, true]);
      expect((await invoiceFigures(world, user)).prices).toEqual(bought);
    });

    it('ends both after a full refund, each with its own part', async () => {
      const { user, life } = begun();
      await world.post(user, life.id);
      await world.notify(life.refund());
      expect(await owned(user)).toEqual([false, false]);
      const { prices, paid } = await invoiceFigures(world, user);
      expect(prices.filter(([type]) => type === 'CANCELLATION')).toEqual([
        ['CANCELLATION', -9.99],
        ['CANCELLATION', -25],
      ]);
      expect(paid).toBe(0);
    });

    it('ends nothing after a partial refund, whose money is that of the subscription', async () => {
      const { user, life } = begun();
      await world.post(user, life.id);
      await world.notify(life.refund(999));
      expect(await owned(user)).toEqual([true, true]);
      expect(await invoiceFigures(world, user)).toMatchObject({
        prices: bought,
        ledger: ['one_time 25', 'purchase 9.99', 'refund -9.99'],
      });
      await world.notify(life.refund(500));
      expect((await invoiceFigures(world, user)).paid).toBe(20);
      expect(await owned(user)).toEqual([true, true]);
    });

    it('ends only the product that a credit note names', async () => {
      const { user, life } = begun();
      await world.post(user, life.id);
      const { id, lines } = life.latest;
      const line = lines.filter(({ amount }) => amount === 2500);
      await world.notify(world.stripe.credit(life.charge, id, line));
      expect(await owned(user)).toEqual([true, false]);
      expect((await invoiceFigures(world, user)).prices).toEqual([...bought, ['CANCELLATION', -25]]);
    });

    it('becomes both when the catalog learns of the product, without other sums', async () => {
      const user = newAppUserId();
      const price = { ...setUp, id: 'price_later', product: 'prod_later' };
      const life = world.stripe.subscribe(monthly, {
        lines: [mixed[0] as FakeLine, { of: 'once', price, amount: 2500 }],
      });
      await world.post(user, life.id);
      world.clock.advanceMs(2 * DAY_MS);
      const product = { store_identifier: price.product, app_id: world.appId, type: 'non_consumable' };
      expect((await world.backend.post(`${world.path}/products`, product)).status).toBe(201);
      await world.notify(life.updated());
      const figures = await invoiceFigures(world, user);
      expect(figures).toMatchObject({
        ledger: ['one_time 25', 'proration -25', 'proration 25', 'purchase 9.99'],
        paid: 34.99,
      });
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      expect(Object.keys(subscriber.non_subscriptions)).toEqual([price.product]);
    });
  });
});
