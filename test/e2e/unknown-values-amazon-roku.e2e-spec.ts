import { type AmazonWorld, startAmazonWorld } from '../support/arrange-amazon.js';
import { type RokuWorld, startRokuWorld } from '../support/arrange-roku.js';
import { type FakeAmazonSubscription, fakeSkus } from '../support/fake-amazon/fake-amazon.js';
import { accessEnds, countedValues, expectOnlyCounted, madeUp } from '../support/made-up-values.js';

describe('values of Amazon that the server does not know', () => {
  let world: AmazonWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startAmazonWorld();
  });
  afterAll(() => world.close());

  const changes: Record<string, (life: FakeAmazonSubscription, value: string) => string> = {
    productType: (life, productType) => {
      const { receipt } = world.amazon.buy(fakeSkus.lifetime, 'ENTITLED', false, life.userId);
      Object.assign(receipt, { productType });
      return world.amazon.notification('ENTITLEMENT_PURCHASED', life.userId, String(receipt.receiptId));
    },
    notificationType: (life, type) => life.change(type, {}),
  };

  const buy = async (): Promise<{ user: string; life: FakeAmazonSubscription }> => {
    const user = `user-${++users}`;
    const life = world.amazon.subscribe();
    expect((await world.post(user, life.id, { store_user_id: life.userId })).status).toBe(200);
    return { user, life };
  };

  it.each(Object.entries(changes))('counts a made-up %s and does nothing else', async (field, change) => {
    const { user, life } = await buy();
    const value = madeUp();
    await expectOnlyCounted(world, user, { field, value }, () => world.notify(change(life, value)));
  });

  it('counts a made-up cancelReason and does nothing else', async () => {
    const { user, life } = await buy();
    const sent = { field: 'cancelReason', value: '9901' };
    await expectOnlyCounted(world, user, sent, () =>
      world.notify(life.change('SUBSCRIPTION_RENEWED', { cancelReason: 9901 })),
    );
  });

  it('records a purchase of unknown type without price or entitlements', async () => {
    const { userId, receipt } = world.amazon.buy(fakeSkus.lifetime, 'ENTITLED');
    Object.assign(receipt, { productType: 'RENTAL' });
    const user = `user-${++users}`;
    const shown = {
      store_user_id: userId,
      product_id: fakeSkus.lifetime.productId,
      price: 49.99,
      currency: 'USD',
    };
    const answer = await world.post(user, String(receipt.receiptId), shown);
    expect(answer.status).toBe(200);
    expect(answer.body.subscriber.non_subscriptions[fakeSkus.lifetime.productId]).toHaveLength(1);
    expect(await accessEnds(world, user)).toEqual([]);
    expect(await world.events(user)).toEqual(['NON_RENEWING_PURCHASE']);
    const rows = await world.server.dataSource.query(
      `SELECT kind, amount_micros FROM store_transactions WHERE store_ids @> ARRAY[$1]`,
      [receipt.receiptId],
    );
    expect(rows).toEqual([{ kind: 'one_time', amount_micros: null }]);
    expect(await countedValues(world, 'RENTAL')).toMatchObject([{ field: 'productType', count: 1 }]);
  });
});

describe('values of Roku that the server does not know', () => {
  let world: RokuWorld;

  beforeAll(async () => {
    world = await startRokuWorld();
  });
  afterAll(() => world.close());

  it('counts a made-up transactionType and does nothing else', async () => {
    const life = world.roku.subscribe();
    expect((await world.post('user', life.id)).status).toBe(200);
    const before = await world.subscription('user');
    const sent = { field: 'transactionType', value: madeUp() };
    await expectOnlyCounted(world, 'user', sent, () => world.notify(life.news(sent.value)));
    expect(await world.subscription('user')).toEqual(before);
    expect(await world.events('user')).toEqual(['INITIAL_PURCHASE']);
  });
});
