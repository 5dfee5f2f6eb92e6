import { catalogCalls } from '../support/arrange-catalog.js';
import type { TestStore } from '../support/arrange-store.js';
import type { Answer, Json } from '../support/api-client.js';
import { otherShop, shop } from '../support/world.js';

const idOf = ({ id }: { id: string }): string => id;

/** The reason in an answer of status 400 to 422. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('products', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const { post, get, remove, made, newProduct, newEntitlement, walk, buy, subscriber, sdkOfferings } =
    catalogCalls(store);

  const product = (change: object = {}) => ({
    store_identifier: 'p',
    app_id: store.appId,
    type: 'subscription',
    ...change,
  });

  it('shows what they are, and more on request', async () => {
    const { body } = await get(`/products/${store.products.monthly.id}?expand=app,indicative_price`);
    expect(body).toMatchObject({
      object: 'product',
      store_identifier: 'pro_monthly',
      type: 'subscription',
      state: 'active',
      display_name: 'Name of pro_monthly',
      subscription: { duration: 'P1M', grace_period_duration: null, trial_duration: null },
      one_time: null,
      app_id: store.appId,
      app: { id: store.appId },
      indicative_price: {
        object: 'indicative_price',
        currency: 'USD',
        country: null,
        amount_micros: 9_990_000,
      },
    });
    const coins = (await get(`/products/${store.products.coins.id}`)).body;
    expect([coins.subscription, coins.one_time]).toEqual([null, { is_consumable: true }]);
    expect('app' in coins || 'indicative_price' in coins).toBe(false);
    const list = (await get(`/products?app_id=${store.appId}&expand=items.app&expand=items.indicative_price`))
      .body;
    expect(
      list.items.every(
        (item: { app: object; indicative_price: object }) => item.app && item.indicative_price,
      ),
    ).toBe(true);
    expect((await get('/products?app_id=appunknown')).body.items).toEqual([]);
  });

  it('creates one of two at once in an app, and answers 409 for the other', async () => {
    const body = product({ store_identifier: 'raced' });
    const answers = await Promise.all([
      post('/products', body),
      post('/products', body),
      post('/products', body),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ type: 'resource_already_exists', param: 'store_identifier' });
  });

  it.each([
    [{ store_identifier: undefined }, 'store_identifier'],
    [{ store_identifier: 'x'.repeat(201) }, 'store_identifier'],
    [{ type: 'thing' }, 'type'],
    [{ app_id: undefined }, 'app_id'],
    [{ display_name: '' }, 'display_name'],
    [{ display_name: 'half \ud83d' }, 'display_name'],
    [{ subscription: { duration: '1 month' } }, 'subscription.duration'],
    [{ subscription: { duration: 'P0D' } }, 'subscription.duration'],
    [{ subscription: { duration: 5 } }, 'subscription.duration'],
    [{ subscription: 'P1M' }, 'subscription'],
    [{ type: 'consumable', subscription: { duration: 'P1M' } }, 'subscription'],
    [{ test_store_price: { currency: 'USD' } }, 'test_store_price.amount_micros'],
    [{ test_store_price: { amount_micros: -1, currency: 'USD' } }, 'test_store_price.amount_micros'],
    [{ test_store_price: { amount_micros: 1.5, currency: 'USD' } }, 'test_store_price.amount_micros'],
    [{ test_store_price: { amount_micros: 1e13 + 1, currency: 'USD' } }, 'test_store_price.amount_micros'],
    [{ test_store_price: { amount_micros: 1, currency: 'XXX' } }, 'test_store_price.currency'],
  ])('refuses %j naming %s', async (change, param) => {
    const answer = await post('/products', product({ store_identifier: 'refused', ...change }));
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('refuses apps of another project, and bodies that are no JSON object', async () => {
    const answer = await post('/products', product({ app_id: foreign.appId }));
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([404, 'resource_missing', 'app_id']);
    for (const [body, type] of [
      ['{', 'application/json'],
      ['[]', 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
    ] as const) {
      const bad = await store.backend.send('POST', `${store.path}/products`, body, {
        'content-type': type,
      });
      expect([bad.status, bad.body.type]).toEqual([400, 'invalid_request']);
    }
  });

  it('page by keyset: every one once, cursors of other lists are refused', async () => {
    const seen = (await walk('/products', 2)).map(idOf);
    const all = (await get('/products?limit=1000')).body.items.map(({ id }: { id: string }) => id);
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(seen.length);
    const cursor = await get(`/products?starting_after=${store.entitlements.pro.id}`);
    expect([cursor.status, cursor.body.param]).toEqual([400, 'starting_after']);
    expect((await get('/products?limit=0')).body.items).toHaveLength(1);
    expect((await get('/products?expand=nothing')).body.param).toBe('expand');
  });

  it.each([
    ['subscription', null],
    ['consumable', { is_consumable: true }],
    ['non_consumable', { is_consumable: false }],
    ['non_renewing_subscription', { is_consumable: false }],
    ['one_time', { is_consumable: null }],
  ])('returns type %s', async (type, oneTime) => {
    const none = { duration: null, grace_period_duration: null, trial_duration: null };
    const made = await newProduct({ type, title: 'By its other name' });
    expect(made).toMatchObject({ type, one_time: oneTime, display_name: 'By its other name' });
    expect(made.subscription).toEqual(type === 'subscription' ? none : null);
  });

  it('allows minutes, trials and grace periods in the Test Store only', async () => {
    const durations = { duration: 'PT5M', trial_duration: 'P3D', grace_period_duration: 'PT1H' };
    expect((await newProduct({ subscription: durations })).subscription).toEqual(durations);
    const app = await made('/apps', { name: 'Roku', type: 'roku' });
    const elsewhere = (change: object) =>
      post('/products', product({ store_identifier: 'elsewhere', app_id: app.id, ...change }));
    const price = { amount_micros: 1, currency: 'USD' };
    for (const [change, param] of [
      [{ subscription: { duration: 'PT5M' } }, 'subscription.duration'],
      [{ subscription: { trial_duration: 'P1W' } }, 'subscription.trial_duration'],
      [{ subscription: { grace_period_duration: 'P1W' } }, 'subscription.grace_period_duration'],
      [{ subscription: { duration: 'P9999Y' } }, 'subscription.duration'],
      [{ test_store_price: price }, 'test_store_price'],
    ] as const) {
      expect(problem(await elsewhere(change))).toEqual([400, 'parameter_error', param]);
    }
    const fine = await elsewhere({ subscription: { duration: 'P2M' }, test_store_price: null });
    expect([fine.status, fine.body.subscription.duration]).toEqual([201, 'P2M']);
    const shown = await get(`/products/${fine.body.id}?expand=indicative_price`);
    expect(shown.body.indicative_price).toBeNull();
  });

  it('stores a duration, and nothing else of a subscription, for products that do not renew', async () => {
    const season = await newProduct({
      type: 'non_renewing_subscription',
      subscription: { duration: 'P3M', trial_duration: null },
    });
    expect(season).toMatchObject({ subscription: { duration: 'P3M' }, one_time: { is_consumable: false } });
    const trial = await post(`/products/${season.id}`, { subscription: { trial_duration: 'P1W' } });
    expect(problem(trial)).toEqual([400, 'parameter_error', 'subscription.trial_duration']);
    const changed = async (body: object): Promise<Json> =>
      (await post(`/products/${season.id}`, body)).body.subscription;
    expect(await changed({ title: 'Season' })).toEqual({ duration: 'P3M' });
    expect(await changed({ subscription: { duration: null } })).toBeNull();
    await changed({ type: 'subscription', subscription: { duration: 'P1M' } });
    expect(await changed({ type: 'non_renewing_subscription' })).toBeNull();
  });

  it('stores a duration for Google Play products, for rentals', async () => {
    const play_store = { package_name: 'com.example.rent' };
    const app = await made('/apps', { name: 'Android', type: 'play_store', play_store });
    for (const type of ['one_time', 'non_consumable', 'consumable']) {
      const movie = { store_identifier: `movie_${type}`, app_id: app.id, type };
      const { body } = await post('/products', { ...movie, subscription: { duration: 'P2D' } });
      expect(body.subscription).toEqual({ duration: 'P2D' });
    }
  });

  it('changes the given fields; app and store identifier are permanent', async () => {
    const before = await newProduct({
      display_name: 'Before',
      subscription: { duration: 'P1M', trial_duration: 'P1W' },
      test_store_price: { amount_micros: 1_000_000, currency: 'USD' },
    });
    const change = async (body: object): Promise<Json> =>
      (await post(`/products/${before.id}?expand=indicative_price`, body)).body;
    const same = await change({ store_identifier: 'other', app_id: foreign.appId, price_identifier: 'x' });
    expect(same).toEqual({ ...before, indicative_price: expect.objectContaining({ amount_micros: 1e6 }) });
    expect((await change({ title: 'After' })).display_name).toBe('After');
    expect((await change({ display_name: null })).display_name).toBeNull();
    expect((await change({ subscription: { duration: null } })).subscription).toEqual({
      duration: null,
      trial_duration: 'P1W',
      grace_period_duration: null,
    });
    const euro = { test_store_price: { amount_micros: 0, currency: 'EUR' } };
    expect((await change(euro)).indicative_price).toMatchObject({ amount_micros: 0, currency: 'EUR' });
    expect((await change({ test_store_price: null })).indicative_price).toBeNull();
    const consumable = await change({ type: 'consumable' });
    expect([consumable.subscription, consumable.one_time]).toEqual([null, { is_consumable: true }]);
    expect((await change({ type: 'subscription' })).subscription.trial_duration).toBeNull();
    for (const [body, param] of [
      [{ type: 'consumable', subscription: { duration: 'P1M' } }, 'subscription'],
      [{ type: null }, 'type'],
      [{ subscription: { duration: 'monthly' } }, 'subscription.duration'],
      [{ test_store_price: { amount_micros: 1e15 + 1, currency: 'USD' } }, 'test_store_price.amount_micros'],
    ] as const) {
      expect(problem(await post(`/products/${before.id}`, body))).toEqual([400, 'parameter_error', param]);
    }
  });

  it('leaves the shop when archived, and continues to unlock purchases', async () => {
    const monthly = store.products.monthly.id;
    await buy('loyal', 'pro_monthly');
    const shown = async (): Promise<string[]> =>
      (await sdkOfferings()).offerings[0].packages.map((item: Json) => item.platform_product_identifier);
    expect(await shown()).toEqual(['pro_monthly', 'pro_yearly']);
    for (let times = 0; times < 2; times++) {
      const archived = await post(`/products/${monthly}/actions/archive`);
      expect([archived.status, archived.body.state]).toEqual([200, 'inactive']);
    }
    expect(await shown()).toEqual(['pro_yearly']);
    expect(Object.keys((await subscriber('loyal')).entitlements)).toEqual(['pro']);
    expect(Object.keys((await buy('latecomer', 'pro_monthly')).body.subscriber.entitlements)).toEqual([
      'pro',
    ]);
    const refused = await post(`/entitlements/${store.entitlements.pro.id}/actions/attach_products`, {
      product_ids: [monthly],
    });
    expect(problem(refused)).toEqual([422, 'entity_references_archived_entities', 'product_ids']);
    expect(refused.body.referenced_object_ids).toEqual([monthly]);
    const unarchived = await post(`/products/${monthly}/actions/unarchive`);
    expect([unarchived.status, unarchived.body]).toEqual([200, store.products.monthly]);
    expect(await shown()).toEqual(['pro_monthly', 'pro_yearly']);
  });

  it('removes deleted ones wherever they are attached; purchases stay and unlock nothing more', async () => {
    const doomed = await newProduct({ store_identifier: 'doomed', subscription: { duration: 'P1Y' } });
    const entitlement = await newEntitlement();
    await post(`/entitlements/${entitlement.id}/actions/attach_products`, { product_ids: [doomed.id] });
    await buy('mourner', 'doomed');
    expect(Object.keys((await subscriber('mourner')).entitlements)).toEqual([entitlement.lookup_key]);
    const gone = await remove(`/products/${doomed.id}`);
    const deleted = { object: 'product', id: doomed.id, deleted_at: store.clock.nowMs() };
    expect([gone.status, gone.body]).toEqual([200, deleted]);
    expect((await get(`/products/${doomed.id}`)).status).toBe(404);
    expect((await remove(`/products/${doomed.id}`)).status).toBe(404);
    const after = await subscriber('mourner');
    expect([after.entitlements, Object.keys(after.subscriptions)]).toEqual([{}, ['doomed']]);
    expect((await get(`/entitlements/${entitlement.id}/products`)).body.items).toEqual([]);
    expect((await newProduct({ store_identifier: 'doomed' })).id).not.toBe(doomed.id);
  });
});
