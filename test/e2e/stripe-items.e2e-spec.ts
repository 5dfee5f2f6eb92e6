import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription, StripeStart } from '../support/fake-stripe/fake-stripe-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, extra } = fakePrices;

describe('Stripe subscriptions with several items', () => {
  let world: StripeWorld;
  let count = 0;

  const begun = async (start: StripeStart = {}): Promise<{ user: string; life: FakeStripeSubscription }> => {
    const user = `user-${++count}`;
    const life = world.stripe.subscribe(monthly, start);
    expect((await world.post(user, life.id)).status).toBe(200);
    return { user, life };
  };
  const entitled = async (user: string): Promise<string[]> => {
    const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
    const now = world.clock.nowMs();
    return Object.entries<{ expires_date: string | null }>(body.subscriber.entitlements)
      .filter(([, { expires_date: end }]) => end === null || Date.parse(end) > now)
      .map(([key]) => key)
      .sort();
  };

  beforeAll(async () => {
    world = await startStripeWorld();
    const { body: product } = await world.backend.post(`${world.path}/products`, {
      app_id: world.appId,
      store_identifier: extra.product,
      type: 'subscription',
    });
    const { body: entitlement } = await world.backend.post(`${world.path}/entitlements`, {
      lookup_key: 'extra',
      display_name: 'Extra',
    });
    await world.backend.post(`${world.path}/entitlements/${entitlement.id}/actions/attach_products`, {
      product_ids: [product.id],
    });
  });

  afterAll(() => world.close());

  it('unlocks what each unlocks; money and renewals are of the subscription', async () => {
    const { user, life } = await begun({ also: [extra] });
    expect(await entitled(user)).toEqual(['extra', 'pro']);
    const gross = async () => (await world.subscription(user)).total_revenue_in_usd.gross;
    expect(await gross()).toBeCloseTo(12.99, 2);
    world.clock.advanceMs(30 * DAY_MS);
    await world.notify(life.renew());
    expect(await entitled(user)).toEqual(['extra', 'pro']);
    expect(await gross()).toBeCloseTo(25.98, 2);
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    await world.notify(life.refund());
    expect(await entitled(user)).toEqual([]);
    expect(await gross()).toBeCloseTo(12.99, 2);
  });

  it('unlocks one that is added and removed in the middle until then', async () => {
    const { user, life } = await begun();
    world.clock.advanceMs(5 * DAY_MS);
    await world.notify(life.add(extra, 250));
    expect(await entitled(user)).toEqual(['extra', 'pro']);
    expect((await world.subscription(user)).total_revenue_in_usd.gross).toBeCloseTo(12.49, 2);
    world.clock.advanceMs(5 * DAY_MS);
    await world.notify(life.remove(extra));
    expect(await entitled(user)).toEqual(['pro']);
    world.clock.advanceMs(DAY_MS);
    await world.notify(life.updated());
    const { body } = await world.sdk.get(`/v1/subscribers/${user}`);
    const end = Date.parse(body.subscriber.entitlements.extra.expires_date);
    expect(world.clock.nowMs() - end).toBeGreaterThanOrEqual(DAY_MS);
    world.clock.advanceMs(19 * DAY_MS);
    await world.notify(life.renew());
    expect(await entitled(user)).toEqual(['pro']);
  });

  it('removes one that was billed with the period', async () => {
    const { user, life } = await begun({ also: [extra] });
    world.clock.advanceMs(5 * DAY_MS);
    await world.notify(life.remove(extra));
    expect(await entitled(user)).toEqual(['pro']);
  });

  it('continues all while a renewal is being collected, and ends them with the subscription', async () => {
    const { user, life } = await begun({ also: [extra] });
    world.clock.advanceMs(30 * DAY_MS);
    await world.notify(life.fail(5));
    expect(await entitled(user)).toEqual(['extra', 'pro']);
    world.clock.advanceMs(6 * DAY_MS);
    await world.notify(life.terminate('payment_failed'));
    expect(await entitled(user)).toEqual([]);
  });

  it('unlocks them on trial, too', async () => {
    const { user } = await begun({ trialDays: 7, also: [extra] });
    expect(await entitled(user)).toEqual(['extra', 'pro']);
  });
});
