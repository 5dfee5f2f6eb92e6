import { ManualClock } from '../../libs/kernel/index.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { connectErrors, FakeConnect } from '../support/fake-app-store/fake-connect.js';
import { TEST_START_MS } from '../support/test-server.js';
import { describeListingAccess, listingCalls } from '../support/store-products.js';

const identifiers = (items: Json[]): string[] => items.map((item) => item.store_identifier);

describe('products from App Store Connect', () => {
  let world: AppStoreWorld;
  let connect: FakeConnect;
  const { list, compare, importAll } = listingCalls(() => world);

  beforeAll(async () => {
    const clock = new ManualClock(TEST_START_MS);
    connect = new FakeConnect(clock);
    await connect.start();
    const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_APPLE_CONNECT_URL: connect.url };
    world = await startAppStoreWorld({ clock, env });
    connect.addSubscription(
      'g1',
      'app.weekly',
      { name: 'Weekly', subscriptionPeriod: 'ONE_WEEK' },
      [
        { amount: '2.99', startDate: null },
        { amount: '3.99', startDate: '2025-06-01' },
        { amount: '1.99', startDate: '2025-07-01', preserved: true },
        { amount: '4.99', startDate: '2099-01-01' },
      ],
      'THREE_DAYS',
    );
    connect.addSubscription('g2', 'app.half', {
      name: 'Half a year',
      subscriptionPeriod: 'SIX_MONTHS',
      state: 'READY_TO_SUBMIT',
    });
    connect.addSubscription('g2', 'app.former', {
      name: 'Former',
      subscriptionPeriod: 'ONE_YEAR',
      state: 'DEVELOPER_REMOVED_FROM_SALE',
    });
    connect.addInAppPurchase('app.gems', 'CONSUMABLE', 'Gems', '0.99');
    connect.addInAppPurchase('app.forever', 'NON_CONSUMABLE', 'Forever', null);
    connect.addInAppPurchase('app.season', 'NON_RENEWING_SUBSCRIPTION', 'Season', '19.99');
  });

  afterAll(async () => {
    await world.close();
    await connect.close();
  });

  beforeEach(() => {
    world.clock.advanceMs(60_000);
    connect.interfere = () => undefined;
    connect.maxPage = 200;
  });

  it('says that the API key is missing, also with an in-app purchase key', async () => {
    await world.configure(world.keyFields);
    const { status, body } = await list();
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining('no App Store Connect API key (app_store_connect_api_key,'),
    ]);
    await world.configure({ app_store_connect_api_key: connect.privateKeyPem });
    expect((await list()).body.message).toContain('(app_store_connect_api_key_id, app_store_connect');
    await world.configure(connect.keyFields);
  });

  it('lists subscriptions of all groups and in-app purchases, with today’s prices', async () => {
    const { status, body } = await list();
    expect([status, connect.refused]).toEqual([200, []]);
    expect(identifiers(body.items)).toEqual([
      'app.forever',
      'app.former',
      'app.gems',
      'app.half',
      'app.season',
      'app.weekly',
    ]);
    const [forever, former, gems, half, season, weekly] = body.items;
    expect(weekly).toMatchObject({
      parent_identifier: null,
      type: 'subscription',
      display_name: 'Weekly',
      duration: 'P1W',
      trial_duration: 'P3D',
      price: { amount_micros: 3_990_000, currency: 'USD' },
      state: 'active',
      store_state: 'APPROVED',
    });
    expect(half).toMatchObject({ duration: 'P6M', state: 'draft', price: null, trial_duration: null });
    expect(former).toMatchObject({ state: 'inactive', store_state: 'DEVELOPER_REMOVED_FROM_SALE' });
    expect(gems).toMatchObject({ type: 'consumable', price: { amount_micros: 990_000, currency: 'USD' } });
    expect(forever).toMatchObject({ type: 'non_consumable', price: null });
    expect(season.type).toBe('non_renewing_subscription');
  });

  it('reads every page, and does not follow the addresses in the answers', async () => {
    connect.maxPage = 1;
    expect((await list()).body.items).toHaveLength(6);
  });

  it('compares and imports without reading prices', async () => {
    const before = connect.calls.length;
    const compared = (await compare()).body;
    expect(identifiers(compared.missing_here)).toEqual([
      'app.forever',
      'app.gems',
      'app.half',
      'app.season',
      'app.weekly',
    ]);
    const { status, body } = await importAll(['app.weekly', 'app.gems', 'app.season']);
    expect(status).toBe(201);
    expect(body.created).toMatchObject([
      { store_identifier: 'app.weekly', display_name: 'Weekly', subscription: { duration: 'P1W' } },
      { store_identifier: 'app.gems', type: 'consumable' },
      { store_identifier: 'app.season', type: 'non_renewing_subscription', subscription: null },
    ]);
    expect(connect.calls.slice(before).some(({ path }) => /rices$/.test(path))).toBe(false);
    expect(identifiers((await compare()).body.missing_here)).toEqual(['app.forever', 'app.half']);
  });

  it('names what is wrong with the key, its role or the app', async () => {
    connect.interfere = ({ path }) =>
      path.endsWith('/subscriptionGroups') ? connectErrors.forbidden : undefined;
    const forbidden = await list();
    expect([forbidden.status, forbidden.body.message]).toEqual([
      422,
      expect.stringContaining('it needs App Manager or Admin'),
    ]);
    connect.interfere = () => undefined;
    await world.configure({ app_store_connect_api_key_id: 'WRONG12345' });
    const wrong = await list();
    expect([wrong.status, wrong.body.message]).toEqual([422, expect.stringContaining('refuses the API key')]);
    await world.configure({ ...connect.keyFields, app_store_connect_api_key: 'no key' });
    expect((await list()).body.message).toContain('(app_store_connect_api_key) cannot be read');
    await world.configure(connect.keyFields);
    const { bundleIds } = connect;
    connect.bundleIds = ['com.example.app.tv'];
    const unknown = await list();
    expect([unknown.status, unknown.body.message]).toEqual([422, expect.stringContaining('has no app with')]);
    connect.bundleIds = bundleIds;
  });

  it.each([
    ['limits the calls', connectErrors.tooMany, '300'],
    ['answers as a proxy', { status: 502, body: 'Bad gateway' }, '60'],
  ])('answers 503 with Retry-After if App Store Connect %s', async (_, answer, wait) => {
    connect.interfere = () => answer;
    const { status, headers } = await list();
    expect([status, headers['retry-after']]).toEqual([503, wait]);
  });

  describe('access', () => {
    describeListingAccess(() => world, 'app.forever');
  });

  it('lists 2,000 products with a bounded number of calls', async () => {
    for (let number = 0; number < 1_000; number++) {
      const terms = { name: `Plan ${number}`, subscriptionPeriod: 'ONE_MONTH' };
      connect.addSubscription(`g${number % 20}`, `plan.${number}`, terms, [
        { amount: '1.00', startDate: null },
      ]);
      connect.addInAppPurchase(`pack.${number}`, 'CONSUMABLE', `Pack ${number}`, '1.00');
    }
    const before = connect.calls.length;
    const { body } = await list();
    expect(body.items).toHaveLength(2_006);
    expect(connect.calls.length - before).toBeLessThan(300);
  });
});
