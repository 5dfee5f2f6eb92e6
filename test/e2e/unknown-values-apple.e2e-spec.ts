import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { countedValues, expectOnlyCounted, madeUp } from '../support/made-up-values.js';

describe('values of the App Store that the server does not know', () => {
  let world: AppStoreWorld;
  let users = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  beforeEach(() => world.clock.advanceMs(1_000));
  afterAll(() => world.close());

  const buy = async (): Promise<{ user: string; life: FakeSubscription }> => {
    const user = `user-${++users}`;
    const life = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    expect((await world.post(user, life.signed())).status).toBe(200);
    world.clock.advanceMs(1_000);
    return { user, life };
  };
  const inboxState = async (kind: string): Promise<string | undefined> => {
    const [row] = await world.server.dataSource.query<{ state: string }[]>(
      'SELECT state FROM store_notifications WHERE kind = $1',
      [kind],
    );
    return row?.state;
  };

  it('counts a made-up notificationType and does nothing else', async () => {
    const { user, life } = await buy();
    const sent = { field: 'notificationType', value: madeUp() };
    await expectOnlyCounted(world, user, sent, () => world.notify(life.notification(sent.value, null)));
    expect(await inboxState(sent.value)).toBe('ignored_type');
  });

  it('applies the signed data of a notification of unknown type', async () => {
    const { user, life } = await buy();
    world.clock.advanceMs(29 * 86_400_000);
    life.renew();
    await world.notify(life.notification('NEW_KIND_OF_RENEWAL', null));
    expect(await world.events(user)).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it.each(['UNCLAIM_SEATS', 'INCREASE_QUANTITY', 'DECREASE_QUANTITY'])(
    'processes %s without any effect',
    async (type) => {
      const { user, life } = await buy();
      const before = await world.subscription(user);
      await world.notify(life.notification(type, null));
      expect(await inboxState(type)).toBe('processed');
      expect(await world.subscription(user)).toEqual(before);
      expect(await world.events(user)).toEqual(['INITIAL_PURCHASE']);
      expect(await countedValues(world, type)).toEqual([]);
    },
  );

  it('refuses data of an unknown environment and counts it', async () => {
    const { life } = await buy();
    const environment = madeUp();
    const answer = await world.post(`user-${++users}`, life.signed({ ...life.latest, environment }));
    expect([answer.status, answer.body.code]).toEqual([400, 7103]);
    expect(await countedValues(world, environment)).toMatchObject([{ field: 'environment', count: 1 }]);
  });
});
