import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { serverError } from '../support/fake-app-store/fake-server-api.js';

const DAY_MS = 86_400_000;
const { coins, monthly, yearly } = fakeProducts;
const noKey = {
  subscription_private_key: null,
  subscription_key_id: null,
  subscription_key_issuer: null,
};

/**
 * A phone whose Apple account already has a purchase of another customer. It finishes what it bought on the 4xx, so what
 * is not recorded now is lost.
 */
describe.each(['keep', 'transfer_if_no_active', 'share'])('a purchase refused by %s', (behavior) => {
  let world: AppStoreWorld;
  let count = 0;

  const newAppUserId = (): string => `person-${behavior}-${++count}`;
  const gems = async (appUserId: string): Promise<number> => {
    const { body } = await world.sdk.get(`/v1/subscribers/${appUserId}/virtual_currencies`);
    return body.virtual_currencies.GEMS?.balance ?? 0;
  };
  const isKnown = async (appUserId: string): Promise<boolean> =>
    (await world.backend.get(`${world.path}/customers/${appUserId}`)).status === 200;
  const deliveries = (appUserId: string, type: string): Promise<unknown[]> =>
    world.server.dataSource.query(
      `SELECT e.body ->> 'app_user_id' AS "appUserId" FROM webhook_deliveries d
       JOIN events e ON e.project_id = d.project_id AND e.id = d.event_id
       WHERE e.type = $1 AND e.body ->> 'app_user_id' = $2`,
      [type, appUserId],
    );

  beforeAll(async () => {
    world = await startAppStoreWorld();
    await world.backend.post(world.path, { transfer_behavior: behavior });
    const currency = {
      code: 'GEMS',
      name: 'Gems',
      product_grants: [{ product_ids: [world.products.coins.id], amount: 100 }],
    };
    expect((await world.backend.post(`${world.path}/virtual_currencies`, currency)).status).toBe(201);
    const webhook = { name: 'All', url: 'http://127.0.0.1:9/hook' };
    expect((await world.backend.post(`${world.path}/integrations/webhooks`, webhook)).status).toBe(201);
  });
  beforeEach(() => {
    world.api.interfere = () => undefined;
  });
  afterAll(() => world.close());

  const apple: [string, () => Promise<void>][] = [
    ['answers', () => world.configure(world.keyFields)],
    [
      'is down',
      async () => {
        await world.configure(world.keyFields);
        world.api.interfere = () => serverError;
      },
    ],
    ['is never asked', () => world.configure(noKey)],
  ];

  it.each(apple)('belongs to the owner of the Apple account while Apple %s', async (_how, arrange) => {
    await world.configure(world.keyFields);
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const account = world.store.account();
    await world.post(owner, world.store.subscribe(account, monthly).signed());
    world.clock.advanceMs(DAY_MS);
    await arrange();
    const jws = world.store.signed(world.store.buy(account, coins).transaction);
    for (let time = 0; time < 2; time++) {
      const refused = await world.post(other, jws, { product_id: coins.id });
      expect([refused.status, refused.body.code]).toEqual([400, 7102]);
    }
    expect(await isKnown(other)).toBe(false);
    expect(await world.events(owner)).toEqual([
      'INITIAL_PURCHASE',
      'NON_RENEWING_PURCHASE',
      'VIRTUAL_CURRENCY_TRANSACTION',
    ]);
    expect(await gems(owner)).toBe(100);
    expect(await deliveries(owner, 'NON_RENEWING_PURCHASE')).toHaveLength(1);
    const { status } = await world.post(owner, jws, { product_id: coins.id });
    expect([status, await gems(owner)]).toEqual([200, 100]);
  });

  it('stays recorded even if it is a subscription', async () => {
    await world.configure(noKey);
    const [owner, other] = [newAppUserId(), newAppUserId()];
    const account = world.store.account();
    await world.post(owner, world.store.subscribe(account, monthly).signed());
    const refused = await world.post(other, world.store.subscribe(account, yearly).signed());
    expect([refused.status, refused.body.code]).toEqual([400, 7102]);
    expect(await world.events(owner)).toEqual(['INITIAL_PURCHASE', 'INITIAL_PURCHASE']);
    expect(await isKnown(other)).toBe(false);
  });

  it('belongs to the customer who posts it when the Apple account has no other owner', async () => {
    await world.configure(noKey);
    const [owner, other] = [newAppUserId(), newAppUserId()];
    await world.post(owner, world.store.subscribe(world.store.account(), monthly).signed());
    const bought = world.store.buy(world.store.account(), coins);
    const answer = await world.post(other, world.store.signed(bought.transaction), { product_id: coins.id });
    expect([answer.status, await gems(other), await gems(owner)]).toEqual([200, 100, 0]);
  });
});
