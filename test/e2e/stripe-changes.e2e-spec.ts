import type { Json } from '../support/api-client.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type {
  FakeStripeSubscription,
  Proration,
  StripeStart,
} from '../support/fake-stripe/fake-stripe-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, plus } = fakePrices;

/** What changes in the middle of a period or of a trial is still true when the subscription ends, or is not paid. */
describe('changes of a Stripe subscription', () => {
  let world: StripeWorld;
  let count = 0;
  const days = (days: number): void => world.clock.advanceMs(days * DAY_MS);
  const begun = async (start: StripeStart = {}): Promise<{ user: string; life: FakeStripeSubscription }> => {
    const user = `changing-${++count}`;
    const life = world.stripe.subscribe(monthly, start);
    expect((await world.post(user, life.id)).status).toBe(200);
    return { user, life };
  };
  const bodies = async (user: string): Promise<Json[]> => {
    const list = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
    return (list.body.items as Json[]).map(({ body }) => body).sort((a, b) => a.sequence - b.sequence);
  };
  const products = async (user: string): Promise<unknown[]> =>
    (await bodies(user)).map(({ type, product_id: product }) => [type, product]);

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  afterAll(() => world.close());

  describe.each<[string, Proration]>([
    ['billed at once', { dueNow: 200 }],
    ['billed with the next invoice', 'next_invoice'],
    ['not billed', 'none'],
  ])('an upgrade that is %s', (_, proration) => {
    it('names the new product when the subscription is canceled at once', async () => {
      const { user, life } = await begun();
      days(10);
      await world.notify(life.exchange(plus, proration));
      days(1);
      await world.notify(life.terminate('cancellation_requested'));
      expect(await products(user)).toEqual([
        ['INITIAL_PURCHASE', 'prod_pro'],
        ['PRODUCT_CHANGE', 'prod_pro'],
        ['CANCELLATION', 'prod_plus'],
        ['EXPIRATION', 'prod_plus'],
      ]);
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      expect(subscriber.entitlements.pro.product_identifier).toBe('prod_plus');
    });

    it('counts as known when the upgrade and the cancellation are reported together', async () => {
      const { user, life } = await begun();
      days(10);
      life.exchange(plus, proration);
      await world.notify(life.terminate('cancellation_requested'));
      const recorded = await products(user);
      expect(recorded.slice(-2)).toEqual([
        ['CANCELLATION', 'prod_plus'],
        ['EXPIRATION', 'prod_plus'],
      ]);
    });

    it('stays while the renewal is being collected, and when it fails', async () => {
      const { user, life } = await begun();
      days(10);
      await world.notify(life.exchange(plus, proration));
      days(20);
      await world.notify(life.beginPeriod());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'PRODUCT_CHANGE']);
      await world.notify(life.updated({ status: 'unpaid' }));
      expect((await products(user)).slice(2).map((recorded) => (recorded as string[])[1])).toEqual([
        'prod_plus',
        'prod_plus',
        'prod_plus',
      ]);
    });

    it('appears once when the renewal is paid', async () => {
      const { user, life } = await begun();
      days(10);
      await world.notify(life.exchange(plus, proration));
      days(20);
      await world.notify(life.beginPeriod());
      await world.notify(life.renew());
      expect(await products(user)).toEqual([
        ['INITIAL_PURCHASE', 'prod_pro'],
        ['PRODUCT_CHANGE', 'prod_pro'],
        ['RENEWAL', 'prod_plus'],
      ]);
    });
  });

  describe('a trial with a set-up fee on its first invoice', () => {
    it('counts as a trial; the fee is money, and the first renewal a conversion', async () => {
      const { user, life } = await begun({ trialDays: 7, setUpFee: 2_000 });
      expect(await world.subscription(user)).toMatchObject({
        status: 'trialing',
        total_revenue_in_usd: { gross: 20 },
      });
      const { subscriber } = (await world.sdk.get(`/v1/subscribers/${user}`)).body;
      expect(subscriber.subscriptions.prod_pro.period_type).toBe('trial');
      days(7);
      await world.notify(life.renew());
      expect(
        (await bodies(user)).map((recorded) => [
          recorded.type,
          recorded.period_type,
          recorded.is_trial_conversion,
        ]),
      ).toEqual([
        ['INITIAL_PURCHASE', 'TRIAL', undefined],
        ['RENEWAL', 'NORMAL', true],
      ]);
      expect((await bodies(user)).map(({ price }) => price)).toEqual([0, 9.99]);
      expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(29.99, 2);
    });

    it('counts a paid start as revenue, not as part of the price', async () => {
      const { user } = await begun({ setUpFee: 2_000 });
      expect(await world.subscription(user)).toMatchObject({
        status: 'active',
        total_revenue_in_usd: { gross: 29.99 },
      });
      expect((await bodies(user)).map(({ price }) => price)).toEqual([9.99]);
    });
  });

  describe('a schedule whose next phase is several periods away', () => {
    it('appears once, in the period that it follows', async () => {
      const { user, life } = await begun();
      await world.notify(life.schedule(plus, 3));
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_renew');
      days(30);
      await world.notify(life.renew());
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      days(30);
      await world.notify(life.renew());
      expect((await world.subscription(user)).auto_renewal_status).toBe('will_change_product');
      days(30);
      await world.notify(life.renew());
      expect(await products(user)).toEqual([
        ['INITIAL_PURCHASE', 'prod_pro'],
        ['RENEWAL', 'prod_pro'],
        ['RENEWAL', 'prod_pro'],
        ['PRODUCT_CHANGE', 'prod_pro'],
        ['RENEWAL', 'prod_plus'],
      ]);
    });
  });

  describe.each([
    ['without an invoice', false],
    ['with one more invoice of 0', true],
  ])('a trial that is made longer %s', (_, isBilled) => {
    const longer = async () => {
      const { user, life } = await begun({ trialDays: 7 });
      const startMs = world.stripe.now() * 1000;
      days(5);
      await world.notify(life.extendTrial(14, { isBilled }));
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED']);
      expect(await world.subscription(user)).toMatchObject({
        status: 'trialing',
        current_period_starts_at: startMs,
        current_period_ends_at: startMs + 21 * DAY_MS,
      });
      return { user, life, startMs };
    };

    it('ends when it is canceled, after its first end', async () => {
      const { user, life, startMs } = await longer();
      days(5);
      const canceledMs = world.stripe.now() * 1000;
      await world.notify(life.terminate('cancellation_requested'));
      expect(await world.subscription(user)).toMatchObject({
        gives_access: false,
        current_period_ends_at: startMs + 21 * DAY_MS,
        ends_at: canceledMs,
      });
      const [, , cancellation, expiration] = await bodies(user);
      expect([cancellation?.type, expiration?.type]).toEqual(['CANCELLATION', 'EXPIRATION']);
      expect(expiration?.expiration_at_ms).toBe(canceledMs);
    });

    it('keeps its longer end when renewal is turned off, and until that is over', async () => {
      const { user, life, startMs } = await longer();
      await world.notify(life.cancel());
      expect(await world.subscription(user)).toMatchObject({
        gives_access: true,
        ends_at: startMs + 21 * DAY_MS,
      });
      world.clock.setMs(startMs + 21 * DAY_MS);
      await world.notify(life.terminate('cancellation_requested'));
      expect(await world.subscription(user)).toMatchObject({
        gives_access: false,
        ends_at: startMs + 21 * DAY_MS,
      });
      expect(await world.events(user)).toEqual([
        'INITIAL_PURCHASE',
        'SUBSCRIPTION_EXTENDED',
        'CANCELLATION/UNSUBSCRIBE',
        'EXPIRATION/UNSUBSCRIBE',
      ]);
    });

    it('converts at its longer end, even if the first payment is late', async () => {
      const { user, life, startMs } = await longer();
      world.clock.setMs(startMs + 21 * DAY_MS);
      await world.notify(life.beginPeriod());
      expect(await world.subscription(user)).toMatchObject({
        gives_access: true,
        current_period_ends_at: startMs + 21 * DAY_MS,
      });
      await world.notify(life.renew());
      const renewal = (await bodies(user)).at(-1);
      expect([renewal?.type, renewal?.is_trial_conversion]).toEqual(['RENEWAL', true]);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED', 'RENEWAL']);
    });

    it('shows as one trial to who sees it only then', async () => {
      const user = `late-${++count}`;
      const life = world.stripe.subscribe(monthly, { trialDays: 7 });
      const startMs = world.stripe.now() * 1000;
      days(5);
      life.extendTrial(14, { isBilled });
      days(5);
      life.terminate('cancellation_requested');
      await world.post(user, life.id);
      expect(await world.subscription(user)).toMatchObject({
        current_period_starts_at: startMs,
        current_period_ends_at: startMs + 21 * DAY_MS,
        ends_at: startMs + 10 * DAY_MS,
      });
    });
  });

  it('renews after a full refund as Stripe says, until the period is over', async () => {
    const { user, life } = await begun();
    days(5);
    await world.notify(life.refund());
    expect(await world.subscription(user)).toMatchObject({
      status: 'expired',
      gives_access: false,
      auto_renewal_status: 'will_renew',
    });
    days(1);
    await world.notify(life.cancel());
    expect((await world.subscription(user)).auto_renewal_status).toBe('will_not_renew');
    await world.notify(life.uncancel());
    days(24);
    await world.notify(life.renew());
    expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
    expect(await world.events(user)).toEqual([
      'INITIAL_PURCHASE',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
      'RENEWAL',
    ]);
  });
});
