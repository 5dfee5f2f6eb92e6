import { type StripeWorld, startStripeWorld } from '../support/arrange-stripe.js';
import type { FakeEvent } from '../support/fake-stripe/fake-stripe.js';
import type { FakeStripeSubscription } from '../support/fake-stripe/fake-stripe-subscription.js';
import { expectOnlyCounted, madeUp } from '../support/made-up-values.js';

describe('values of Stripe that the server does not know', () => {
  let world: StripeWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startStripeWorld();
  });
  afterAll(() => world.close());

  const buy = async (): Promise<{ user: string; life: FakeStripeSubscription }> => {
    const user = `user-${++users}`;
    const life = world.stripe.subscribe();
    expect((await world.post(user, life.id)).status).toBe(200);
    return { user, life };
  };

  const changes: Record<string, (life: FakeStripeSubscription, value: string) => FakeEvent> = {
    'subscription.status': (life, status) => life.updated({ status }),
    collection_method: (life, method) => life.updated({ collection_method: method }),
    'cancellation_details.reason': (life, reason) => life.updated({ cancellation_details: { reason } }),
    'invoice.status': (life, status) => {
      const event = life.beginPeriod();
      life.latest.status = status;
      return event;
    },
    'charge.status': (life, status) => {
      Object.assign(life.charge, { status });
      return life.updated();
    },
    'refund.status': (life, status) => {
      const event = life.refund();
      Object.assign(life.charge.refunds.data[0] ?? {}, { status });
      return event;
    },
    'dispute.status': (life, status) => world.stripe.dispute(life.charge, status),
  };

  it.each(Object.entries(changes))('counts a made-up %s and does nothing else', async (field, change) => {
    const { user, life } = await buy();
    const value = madeUp();
    await expectOnlyCounted(world, user, { field, value }, () => world.notify(change(life, value)));
  });

  it('keeps the money as it was before a dispute of unknown status', async () => {
    const { user, life } = await buy();
    await world.notify(world.stripe.dispute(life.charge, 'mediated'));
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
  });

  it('keeps the last known status of a subscription until its paid end', async () => {
    const { user, life } = await buy();
    await world.notify(life.cancel());
    const before = await world.subscription(user);
    expect(before).toMatchObject({ auto_renewal_status: 'will_not_renew' });
    await world.notify(life.updated({ status: 'dormant', cancel_at_period_end: false }));
    const after = await world.subscription(user);
    expect(after).toMatchObject({
      status: 'active',
      auto_renewal_status: 'will_not_renew',
      ends_at: before.ends_at,
      gives_access: true,
    });
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
  });

  it('grants the paid time of a subscription whose first known status is unknown', async () => {
    const life = world.stripe.subscribe();
    life.updated({ status: 'dormant' });
    const user = `user-${++users}`;
    expect((await world.post(user, life.id)).status).toBe(200);
    const {
      status,
      gives_access: givesAccess,
      current_period_ends_at: endsAt,
    } = await world.subscription(user);
    expect([status, givesAccess, typeof endsAt]).toEqual(['active', true, 'number']);
  });
});
