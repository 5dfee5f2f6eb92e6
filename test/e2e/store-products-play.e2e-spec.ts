import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { googleError } from '../support/fake-play/play-answer.js';
import type { FakePlayCatalog } from '../support/fake-play/fake-play-catalog.js';
import { describeListingAccess, listingCalls } from '../support/store-products.js';

const identifiers = ({ body }: { body: Json }): string[] =>
  body.items.map((item: Json) => item.store_identifier);

describe('products from Google Play', () => {
  let world: PlayWorld;
  const { list, compare, importAll, products } = listingCalls(() => world);

  beforeAll(async () => {
    world = await startPlayWorld({ SERVICE_ALLOW_SIGNUP: 'true' });
    const { catalog } = world.google;
    // The world has pro:monthly (P1M) and pro:yearly (P1Y) already, among others.
    catalog.addSubscription('pro', 'Pro', [
      { id: 'monthly', period: 'P1M', price: 9.99 },
      { id: 'yearly', period: 'P6M', price: 59.99 },
      { id: 'weekly', period: 'P1W', price: 2.99 },
      { id: 'soon', period: 'P3M', price: 24.99, state: 'DRAFT' },
      { id: 'former', period: 'P1M', price: 7.99, state: 'INACTIVE' },
    ]);
    catalog.addSubscription('news', 'News', [{ id: 'prepaid', period: 'P30D', price: 3.5, prepaid: true }]);
    catalog.addOffer('pro', 'weekly', 'first-week', 'P1W');
    catalog.addOffer('pro', 'weekly', 'half-price', null);
    catalog.addOffer('pro', 'weekly', 'ended', 'P2W', 'INACTIVE');
    catalog.addOneTimeProduct('coins', 'Coins', 1.99);
    catalog.addOneTimeProduct('gems', 'Gems', 4.99);
    catalog.addOneTimeProduct('film', 'Film', 3.99, {
      rentOption: { rentalPeriod: 'P2D', expirationPeriod: 'P30D' },
    });
  });

  afterAll(() => world.close());

  beforeEach(() => {
    world.clock.advanceMs(60_000);
    world.google.interfere = () => undefined;
    world.google.catalog.isHidden = false;
    world.google.catalog.maxPage = 1000;
  });

  it('lists base plans with their offers, and one-time products', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ object: 'list', next_page: null });
    expect(identifiers(answer)).toEqual([
      'coins',
      'film',
      'gems',
      'news:prepaid',
      'pro:former',
      'pro:monthly',
      'pro:soon',
      'pro:weekly',
      'pro:yearly',
    ]);
    const byName = new Map<string, Json>(
      answer.body.items.map((item: Json) => [item.store_identifier, item]),
    );
    expect(byName.get('pro:weekly')).toEqual({
      object: 'store_product',
      store_identifier: 'pro:weekly',
      parent_identifier: 'pro',
      type: 'subscription',
      display_name: 'Pro (weekly)',
      duration: 'P1W',
      trial_duration: 'P1W',
      price: { amount_micros: 2_990_000, currency: 'USD' },
      state: 'active',
      store_state: 'ACTIVE',
      offers: ['first-week', 'half-price'],
      product_id: null,
      parent_product_id: null,
    });
    expect(byName.get('pro:monthly')).toMatchObject({
      product_id: world.products.monthly.id,
      trial_duration: null,
    });
    expect([byName.get('pro:soon')?.state, byName.get('pro:former')?.state]).toEqual(['draft', 'inactive']);
    expect(byName.get('news:prepaid')).toMatchObject({ display_name: 'News', duration: 'P30D' });
    expect(byName.get('film')).toMatchObject({ type: 'one_time', display_name: 'Film', duration: 'P2D' });
    expect(byName.get('gems')).toMatchObject({ duration: null, price: { amount_micros: 4_990_000 } });
  });

  it('reads every page of each list', async () => {
    const { catalog, calls } = world.google;
    catalog.maxPage = 2;
    const before = calls.length;
    expect(identifiers(await list())).toHaveLength(9);
    // One page of subscriptions, two of offers, two of one-time products.
    expect(calls.slice(before).map(({ path }) => path)).toEqual([
      '/subscriptions',
      '/subscriptions/-/basePlans/-/offers',
      '/subscriptions/-/basePlans/-/offers',
      '/oneTimeProducts',
      '/oneTimeProducts',
    ]);
  });

  it('compares what is missing on either side, and what differs', async () => {
    const { status, body } = await compare();
    expect(status).toBe(200);
    expect(body.missing_here.map((item: Json) => item.store_identifier)).toEqual([
      'coins',
      'film',
      'gems',
      'news:prepaid',
      'pro:soon',
      'pro:weekly',
    ]);
    expect(body.missing_in_store.map((item: Json) => item.store_identifier)).toContain('pro_lifetime');
    expect(body.different).toEqual([
      {
        product_id: world.products.yearly.id,
        store_identifier: 'pro:yearly',
        display_name: null,
        field: 'duration',
        here: 'P1Y',
        in_store: 'P6M',
      },
    ]);
  });

  it('imports products with name and duration, leaves existing ones alone, and audits it', async () => {
    const { status, body } = await importAll(['pro:weekly', 'gems', 'film', 'pro:yearly', 'gems'], {
      one_time_type: 'consumable',
    });
    expect(status).toBe(201);
    expect(body.created).toMatchObject([
      {
        store_identifier: 'pro:weekly',
        type: 'subscription',
        display_name: 'Pro (weekly)',
        subscription: { duration: 'P1W', trial_duration: null },
        state: 'active',
        app_id: world.appId,
      },
      { store_identifier: 'gems', type: 'consumable', display_name: 'Gems', subscription: null },
      { store_identifier: 'film', type: 'consumable', subscription: { duration: 'P2D' } },
    ]);
    expect(body.existing.map(({ id }: Json) => id)).toEqual([world.products.yearly.id]);
    expect((await products()).get('pro:yearly')?.subscription.duration).toBe('P1Y');
    const { body: log } = await world.backend.get(`${world.path}/audit_logs?limit=100`);
    const row = log.items.find(({ action_type: type }: Json) => type === 'app_products_imported');
    expect(row).toMatchObject({
      target_identifier: world.appId,
      additional_data: { created: body.created.map(({ id }: Json) => id), existing: 1 },
    });

    const again = await importAll(['pro:weekly', 'gems', 'film']);
    expect([again.status, again.body.created, again.body.existing.length]).toEqual([201, [], 3]);
  });

  it('counts a product for a whole subscription as its base plans', async () => {
    const { backend, path, appId } = world;
    const body = { store_identifier: 'news', app_id: appId, type: 'subscription' };
    const product = (await backend.post(`${path}/products`, body)).body;
    const listed = (await list()).body.items.find((item: Json) => item.parent_identifier === 'news');
    expect(listed).toMatchObject({ product_id: null, parent_product_id: product.id });
    const compared = (await compare()).body;
    expect(compared.missing_here.map((item: Json) => item.store_identifier)).not.toContain('news:prepaid');
    expect(compared.different).toContainEqual(
      expect.objectContaining({ store_identifier: 'news', field: 'duration', here: null, in_store: 'P30D' }),
    );
    await backend.delete(`${path}/products/${product.id}`);
  });

  it('imports once if the request is repeated with an idempotency key', async () => {
    const client = world.backend.with({ 'idempotency-key': 'import-news' });
    const place = `${world.path}/apps/${world.appId}/store_products/actions/import`;
    const body = { store_identifiers: ['news:prepaid', 'pro:soon'] };
    const first = await client.post(place, body);
    const second = await client.post(place, body);
    expect([first.status, first.body.created.length]).toEqual([201, 2]);
    expect(second.body).toEqual(first.body);
  });

  it('names the permission that the service account lacks, and leaves the credentials healthy', async () => {
    world.google.catalog.isHidden = true;
    for (const answer of [await list(), await compare(), await importAll(['gems'])]) {
      expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
      expect(answer.body.message).toContain('"View app information" or "Manage store presence"');
      expect(answer.body.message).toContain('The caller does not have permission');
    }
    const { body } = await world.backend.get(`${world.path}/setup_health`);
    expect(JSON.stringify(body)).not.toContain('Manage store presence');
  });

  it.each([
    ['429', { ...googleError(429, 'rateLimitExceeded'), headers: { 'retry-after': '120' } }, '120'],
    ['that the quota is used up', googleError(403, 'quotaExceeded', 'Quota exceeded.'), '60'],
    ['500', googleError(500, 'backendError'), '60'],
    ['as a proxy', { status: 502, body: '<html>' }, '60'],
    ['with a list', { status: 200, body: '[]' }, '60'],
    ['without a list of subscriptions', { status: 200, body: { subscriptions: 'none' } }, '60'],
  ])('answers 503 with Retry-After if Google answers %s', async (_, answer, wait) => {
    world.google.interfere = ({ path }) => (path === '/subscriptions' ? answer : undefined);
    const { status, headers, body } = await list();
    expect([status, headers['retry-after'], body.type]).toEqual([503, wait, 'store_error']);
  });

  it('says that credentials are missing or of another app', async () => {
    await world.configure({ play_service_account_credentials_json: null });
    const missing = await list();
    expect([missing.status, missing.body.message]).toEqual([
      422,
      'The app has no service account (play_service_account_credentials_json).',
    ]);
    await world.configure({
      play_service_account_credentials_json: world.google.serviceAccount,
      package_name: 'com.example.other',
    });
    const other = await list();
    expect([other.status, other.body.message]).toEqual([
      422,
      expect.stringContaining('knows no app of that'),
    ]);
    await world.configure({ package_name: 'com.example.app' });
  });

  it('refuses stores that have no list', async () => {
    const { backend, path } = world;
    const app = (await backend.post(`${path}/apps`, { name: 'Test', type: 'test_store' })).body;
    const { status, body } = await backend.get(`${path}/apps/${app.id}/store_products`);
    expect([status, body.message]).toEqual([422, 'This server cannot list the products of test_store.']);
  });

  describe('access', () => {
    describeListingAccess(() => world, 'gems');
  });
});

describe('a large catalog of Google Play', () => {
  let world: PlayWorld;
  const { list, importAll, compare } = listingCalls(() => world);

  beforeAll(async () => {
    world = await startPlayWorld();
    const { catalog } = world.google;
    for (let number = 0; number < 1_000; number++) {
      const plans = [
        { id: 'm', period: 'P1M', price: 1.99 },
        { id: 'y', period: 'P1Y', price: 19.99 },
      ];
      catalog.addSubscription(`plan${number}`, `Plan ${number}`, plans);
      catalog.addOffer(`plan${number}`, 'm', 'trial', 'P3D');
    }
  });

  afterAll(() => world.close());

  it('lists, imports and compares 2,000 products', async () => {
    const before = world.google.calls.length;
    const { status, body } = await list();
    expect([status, body.items.length]).toEqual([200, 2_000]);
    expect(world.google.calls.length - before).toBeLessThan(10);
    const names = body.items.map((item: Json) => item.store_identifier);
    for (let from = 0; from < names.length; from += 500) {
      world.clock.advanceMs(1_000);
      const answer = await importAll(names.slice(from, from + 500));
      expect([answer.status, answer.body.created.length]).toEqual([201, 500]);
    }
    const compared = (await compare()).body;
    expect([compared.missing_here, compared.different]).toEqual([[], []]);
  });

  it('refuses a catalog of more than 5,000 products', async () => {
    const catalog: FakePlayCatalog = world.google.catalog;
    for (let number = 0; number < 3_001; number++) catalog.addOneTimeProduct(`one${number}`, 'One', 1);
    const { status, body } = await list();
    expect([status, body.message]).toEqual([422, 'The store has more than 5000 products of this app.']);
  });
});
