import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';

const DAY_MS = 86_400_000;
const { monthly } = fakePrices;

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
  ])(
    'a first period until a later date of renewal %s: it counts, and so do those after it',
    async (_, amount) => {
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
    },
  );

  describe('after a free first period', () => {
    const begun = async () => {
      const user = newAppUserId();
      const life = world.stripe.subscribe(monthly, { firstDays: 10, firstAmount: null });
      expect((await world.post(user, life.id)).status).toBe(200);
      return { user, life };
    };
    const hasAccess = async (user: string) => (await world.subscription(user)).gives_access;

    it('access goes on while the first invoice is a draft, and for who posts it then', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.beginPeriod());
      expect(await hasAccess(user)).toBe(true);
      expect((await world.post(user, life.id)).status).toBe(200);
      await world.notify(life.renew());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });

    it('a first invoice that fails is a billing issue', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(10 * DAY_MS);
      await world.notify(life.fail(5));
      expect(await hasAccess(user)).toBe(true);
      expect(await world.events(user)).toContain('BILLING_ISSUE');
    });

    it('who is cut off within it has no access any more', async () => {
      const { user, life } = await begun();
      world.clock.advanceMs(4 * DAY_MS);
      await world.notify(life.terminate('cancellation_requested'));
      expect(await hasAccess(user)).toBe(false);
      expect(await world.events(user)).toContain('EXPIRATION/UNSUBSCRIBE');
    });
  });

  it('a renewal is found behind the lines for everything that changed before', async () => {
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

  it('of many long invoices a receipt waits for the newest only, and for none that is not paid', async () => {
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

  it('a long life is read in pages, the rest of it in the background', async () => {
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
});
