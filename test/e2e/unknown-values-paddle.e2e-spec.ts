import { monthly, type PaddleWorld, startPaddleWorld } from '../support/arrange-paddle.js';
import { paddlePrices, type PaddleEventSent } from '../support/fake-paddle/fake-paddle.js';
import type { FakePaddleSubscription } from '../support/fake-paddle/fake-paddle-subscription.js';
import { countedValues, expectOnlyCounted, madeUp } from '../support/made-up-values.js';

describe('values of Paddle that the server does not know', () => {
  let world: PaddleWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startPaddleWorld();
  });
  afterAll(() => world.close());

  const buy = async (): Promise<{ user: string; life: FakePaddleSubscription }> => {
    const user = `user-${++users}`;
    const life = world.paddle.subscribe(monthly);
    world.clock.advanceMs(2_000);
    expect((await world.post(user, life.id)).status).toBe(200);
    return { user, life };
  };

  const changes: Record<string, (life: FakePaddleSubscription, value: string) => PaddleEventSent> = {
    'subscription.status': (life, status) => {
      life.status = status;
      return life.updated();
    },
    'transaction.status': (life, status) => {
      const event = life.moveOn();
      life.latest.status = status;
      return event;
    },
    'adjustment.status': (life, status) => world.paddle.adjust(life.latest, 'refund', { status }),
    'adjustment.action': (life, action) => world.paddle.adjust(life.latest, action),
    'scheduled_change.action': (life, action) => {
      life.scheduled = { action, effective_at: world.paddle.time(), resume_at: null };
      return life.updated();
    },
  };

  it.each(Object.entries(changes))('counts a made-up %s and does nothing else', async (field, change) => {
    const { user, life } = await buy();
    const value = madeUp();
    await expectOnlyCounted(world, user, { field, value }, () => world.notify(change(life, value)));
  });

  it('keeps the last known status of a subscription until its paid end', async () => {
    const { user, life } = await buy();
    await world.notify(life.cancel());
    const before = await world.subscription(user);
    life.status = 'dormant';
    life.scheduled = null;
    await world.notify(life.updated());
    expect(await world.subscription(user)).toMatchObject({
      status: 'active',
      auto_renewal_status: 'will_not_renew',
      ends_at: before.ends_at,
      gives_access: true,
    });
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE']);
  });

  it.each([
    ['action', 'clawback', 'approved'],
    ['status', 'refund', 'arbitrated'],
  ])('books nothing for an adjustment of unknown %s', async (_, action, status) => {
    const { user, life } = await buy();
    await world.notify(world.paddle.adjust(life.latest, action, { status }));
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
    expect(await world.subscription(user)).toMatchObject({ status: 'active', gives_access: true });
  });

  it('sells nothing for a transaction of unknown status', async () => {
    const transaction = world.paddle.sell([{ price: paddlePrices.lifetime, quantity: 1 }]);
    transaction.status = madeUp();
    world.clock.advanceMs(2_000);
    const answer = await world.post(`user-${++users}`, transaction.id);
    expect([answer.status, answer.body.code]).toEqual([503, 7651]);
    expect(await countedValues(world, transaction.status)).toMatchObject([{ field: 'transaction.status' }]);
  });
});
