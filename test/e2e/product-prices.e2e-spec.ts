import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import type { TestStore } from '../support/arrange-store.js';
import { buyer, otherShop, shop } from '../support/world.js';

const READ = 'project_configuration:products:read';
const WRITE = 'project_configuration:products:read_write';

const price = (amount_micros: number, currency: string) => ({ amount_micros, currency });
const usd = price(9_990_000, 'USD');
const eur = price(8_990_000, 'EUR');
const gbp = price(7_990_000, 'GBP');

const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('prices of products', () => {
  const store = shop();
  let foreign: TestStore;
  let played: Json;

  const { get, post, remove, made, newProduct } = catalogCalls(store);

  beforeAll(async () => {
    foreign = await otherShop(store);
    const app = await made('/apps', {
      name: 'Android',
      type: 'play_store',
      play_store: { package_name: 'com.example.prices' },
    });
    played = await newProduct({ app_id: app.id });
  });

  const patch = (id: string, currency: string, body: unknown): Promise<Answer> =>
    store.backend.send('PATCH', `${store.path}/products/${id}/prices/${currency}`, body);
  const pricesOf = async (id: string): Promise<Json> =>
    (await get(`/products/${id}/test_store_prices`)).body.prices;
  const defaultOf = async (id: string): Promise<Json> => {
    const { indicative_price: shown } = (await get(`/products/${id}?expand=indicative_price`)).body;
    return shown && price(shown.amount_micros, shown.currency);
  };
  const priced = async (prices: object[], change: object = {}): Promise<Json> => {
    const product = await newProduct(change);
    await made(`/products/${product.id}/test_store_prices`, { prices });
    return product;
  };

  describe.each([
    ['GET', 'test_store_prices', READ],
    ['POST', 'test_store_prices', WRITE],
    ['GET', 'prices', READ],
    ['PATCH', 'prices/USD', WRITE],
  ] as const)('%s %s', (method, route, permission) => {
    describeAccess(
      () => store.server,
      method,
      (id) => `/v2/projects/${id}/products/prod1/${route}`,
      permission,
    );

    it('answers 404 for products of another project and for unknown ones', async () => {
      const body = { POST: { prices: [usd] }, PATCH: { amount_micros: 1 }, GET: undefined }[method];
      for (const id of ['prod1', foreign.products.monthly.id as string]) {
        const answer = await store.backend.send(method, `${store.path}/products/${id}/${route}`, body);
        expect(problem(answer)).toEqual([404, 'resource_missing', undefined]);
      }
    });
  });

  it('sets prices once, and returns them by currency', async () => {
    const { id } = await newProduct();
    const path = `/products/${id}/test_store_prices`;
    expect((await get(path)).body).toEqual({ object: 'test_store_prices', product_id: id, prices: [] });
    expect((await get(`/products/${id}/prices`)).body.items).toEqual([]);
    const answer = await post(path, { prices: [usd, gbp, eur] });
    expect([answer.status, answer.body]).toEqual([
      201,
      { object: 'test_store_prices', product_id: id, prices: [eur, gbp, usd] },
    ]);
    expect((await get(path)).body).toEqual(answer.body);
    expect(await defaultOf(id)).toEqual(usd);
    const again = await post(path, { prices: [usd] });
    expect(problem(again)).toEqual([409, 'resource_already_exists', 'prices']);
    expect(await pricesOf(id)).toEqual([eur, gbp, usd]);
  });

  it('sets prices for one of two requests at once, and answers 409 to the other', async () => {
    const { id } = await newProduct();
    const answers = await Promise.all(
      [usd, eur, gbp].map((each) => post(`/products/${id}/test_store_prices`, { prices: [each] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await pricesOf(id)).toHaveLength(1);
  });

  it('has the first price by currency as the default price if none is in US dollars', async () => {
    const { id } = await priced([gbp, eur]);
    expect(await defaultOf(id)).toEqual(eur);
  });

  it('refuses a second set of prices for a product created with a price', async () => {
    const answer = await post(`/products/${store.products.coins.id}/test_store_prices`, { prices: [eur] });
    expect(problem(answer)).toEqual([409, 'resource_already_exists', 'prices']);
  });

  it.each([
    [{}, 'prices'],
    [{ prices: usd }, 'prices'],
    [{ prices: [] }, 'prices'],
    [{ prices: ['USD'] }, 'prices.0'],
    [{ prices: [{ currency: 'USD' }] }, 'prices.0.amount_micros'],
    [{ prices: [usd, price(-1, 'EUR')] }, 'prices.1.amount_micros'],
    [{ prices: [price(0.5, 'USD')] }, 'prices.0.amount_micros'],
    [{ prices: [price(1e12 + 1, 'USD')] }, 'prices.0.amount_micros'],
    [{ prices: [price(1, 'usd')] }, 'prices.0.currency'],
    [{ prices: [price(1, 'XXX')] }, 'prices.0.currency'],
    [{ prices: [price(1, 'US\0')] }, 'prices.0.currency'],
    [{ prices: [{ amount_micros: 1 }] }, 'prices.0.currency'],
    [{ prices: [usd, eur, price(1, 'USD')] }, 'prices.2.currency'],
  ])('refuses %j naming %s', async (body, param) => {
    const { id } = await newProduct();
    const answer = await post(`/products/${id}/test_store_prices`, body);
    expect(problem(answer)).toEqual([400, 'parameter_error', param]);
    expect(await pricesOf(id)).toEqual([]);
  });

  it('accepts at most 50 prices', async () => {
    const { id } = await newProduct();
    const prices = Array.from({ length: 51 }, () => usd);
    const answer = await post(`/products/${id}/test_store_prices`, { prices });
    expect(problem(answer)).toEqual([400, 'parameter_error', 'prices']);
  });

  it('accepts free products and the highest price', async () => {
    const prices = [price(1e12, 'JPY'), price(0, 'USD')];
    expect(await pricesOf((await priced(prices)).id)).toEqual(prices);
  });

  it('lists prices page by page with their times', async () => {
    const { id } = await priced([usd, gbp, eur]);
    const createdMs = store.clock.nowMs();
    store.clock.advanceMs(60_000);
    expect((await patch(id, 'GBP', { amount_micros: 1 })).status).toBe(200);
    const row = (terms: object, updated_at: number) => ({
      object: 'product_price',
      ...terms,
      created_at: createdMs,
      updated_at,
    });
    const first = (await get(`/products/${id}/prices?limit=2`)).body;
    expect(first.items).toEqual([row(eur, createdMs), row(price(1, 'GBP'), store.clock.nowMs())]);
    const second = await store.backend.get(first.next_page);
    expect([second.body.items, second.body.next_page]).toEqual([[row(usd, createdMs)], null]);
    const unknown = await get(`/products/${id}/prices?starting_after=XYZ`);
    expect(problem(unknown)).toEqual([400, 'parameter_error', 'starting_after']);
  });

  it('changes one price; the default price changes with its currency only', async () => {
    const { id } = await priced([usd, eur]);
    const changed = await patch(id, 'EUR', { amount_micros: 5_000_000 });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ object: 'product_price', ...price(5_000_000, 'EUR') }),
    ]);
    expect(await defaultOf(id)).toEqual(usd);
    await patch(id, 'USD', { amount_micros: 6_000_000 });
    expect(await defaultOf(id)).toEqual(price(6_000_000, 'USD'));
    expect(await pricesOf(id)).toEqual([price(5_000_000, 'EUR'), price(6_000_000, 'USD')]);
  });

  it('answers 404 for a currency without a price, and 400 for an invalid amount', async () => {
    const { id } = await priced([usd]);
    for (const currency of ['EUR', 'usd', 'nothing']) {
      const answer = await patch(id, currency, { amount_micros: 1 });
      expect(problem(answer)).toEqual([404, 'resource_missing', undefined]);
    }
    for (const body of [{}, { amount_micros: -1 }, { amount_micros: '1' }, { amount_micros: 1e12 + 1 }]) {
      expect(problem(await patch(id, 'USD', body))).toEqual([400, 'parameter_error', 'amount_micros']);
    }
    expect(await pricesOf(id)).toEqual([usd]);
  });

  it('leaves prices of products of other stores to their stores', async () => {
    const impossible = [422, 'unprocessable_entity_error', undefined];
    expect(problem(await get(`/products/${played.id}/test_store_prices`))).toEqual(impossible);
    const set = await post(`/products/${played.id}/test_store_prices`, { prices: [usd] });
    expect(problem(set)).toEqual(impossible);
    const changed = await patch(played.id, 'USD', { amount_micros: 1 });
    expect(problem(changed)).toEqual(impossible);
    expect(changed.body.message).toBe('Prices of this product are set in its store.');
    const list = await get(`/products/${played.id}/prices`);
    expect([list.status, list.body.items, list.body.next_page]).toEqual([200, [], null]);
  });

  it('writes the price of the old field to the prices', async () => {
    const { id } = await newProduct({ test_store_price: usd });
    expect(await pricesOf(id)).toEqual([usd]);
    const update = async (test_store_price: object | null): Promise<void> => {
      expect((await post(`/products/${id}`, { test_store_price })).status).toBe(200);
    };
    await update(eur);
    expect(await pricesOf(id)).toEqual([eur]);
    await update(null);
    expect(await pricesOf(id)).toEqual([]);
    await made(`/products/${id}/test_store_prices`, { prices: [eur, gbp, usd] });
    await update(price(1, 'USD'));
    expect(await pricesOf(id)).toEqual([eur, gbp, price(1, 'USD')]);
    // It replaces the default price, not the others.
    await update(price(2, 'JPY'));
    expect([await pricesOf(id), await defaultOf(id)]).toEqual([[eur, gbp, price(2, 'JPY')], price(2, 'JPY')]);
    await update(price(3, 'GBP'));
    expect([await pricesOf(id), await defaultOf(id)]).toEqual([[eur, price(3, 'GBP')], price(3, 'GBP')]);
    await post(`/products/${id}`, { display_name: 'Renamed' });
    await post(`/products/${id}/actions/archive`);
    expect(await pricesOf(id)).toEqual([eur, price(3, 'GBP')]);
  });

  it('records each change in the audit log once', async () => {
    const { id } = await newProduct();
    store.clock.advanceMs(1);
    await made(`/products/${id}/test_store_prices`, { prices: [usd, eur] });
    store.clock.advanceMs(1);
    await patch(id, 'EUR', { amount_micros: 1 });
    const { items } = (await get('/audit_logs?limit=3')).body;
    expect(items.map((entry: Json) => [entry.action_type, entry.target_identifier])).toEqual([
      ['product_updated', id],
      ['product_updated', id],
      ['product_created', id],
    ]);
    expect(items[0].additional_data).toMatchObject({
      changed_fields: ['test_store_prices'],
      changes: { test_store_prices: { old: [eur, usd], new: [price(1, 'EUR'), usd] } },
    });
  });

  it('deletes prices with their product', async () => {
    const { id } = await priced([usd, eur]);
    expect((await remove(`/products/${id}`)).status).toBe(200);
    const rows = await store.server.dataSource.query('SELECT 1 FROM product_prices WHERE product_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  describe('written by a server of the previous version, which knows only the default price', () => {
    const written = (id: string, micros: number | null, currency: string | null): Promise<unknown> =>
      store.server.dataSource.query(
        `UPDATE products SET test_store_price_micros = $2, test_store_price_currency = $3 WHERE id = $1`,
        [id, micros, currency],
      );

    it.each([
      ['another amount', 1, 'USD', [eur, price(1, 'USD')]],
      ['another currency', 2, 'JPY', [price(2, 'JPY')]],
      ['no price', null, null, []],
    ])('takes precedence: %s', async (_, micros, currency, expected) => {
      const { id } = await priced([usd, eur]);
      await written(id, micros, currency);
      expect(await pricesOf(id)).toEqual(expected);
      const items = (await get(`/products/${id}/prices`)).body.items as Json[];
      expect(items.map((item) => price(item.amount_micros, item.currency))).toEqual(expected);
    });

    it('can be changed, also for a product that it created', async () => {
      const { id } = await newProduct();
      await written(id, 5, 'USD');
      expect(problem(await post(`/products/${id}/test_store_prices`, { prices: [eur] }))).toEqual([
        409,
        'resource_already_exists',
        'prices',
      ]);
      expect((await patch(id, 'USD', { amount_micros: 6 })).status).toBe(200);
      expect([await pricesOf(id), await defaultOf(id)]).toEqual([[price(6, 'USD')], price(6, 'USD')]);
    });
  });

  describe('in the Test Store', () => {
    const shown = async (identifier: string, currency?: string): Promise<Json> => {
      const query = currency === undefined ? '' : `&currency=${currency}`;
      const { body } = await store.sdk.get(`/rcbilling/v1/subscribers/ada/products?id=${identifier}${query}`);
      const { base, base_price: basePrice } = body.product_details[0].purchase_options.base_option;
      return basePrice ?? base.price;
    };
    const charged = async (appUserId: string): Promise<unknown[]> => {
      const { items } = (await get(`/transactions?customer=${appUserId}&environment=sandbox`)).body;
      return (items as Json[])
        .toReversed()
        .map(({ kind, price: paid }) => [kind, paid?.amount * 1_000_000, paid?.currency]);
    };

    it.each([
      [undefined, usd],
      ['USD', usd],
      ['EUR', eur],
      ['eur', eur],
      ['JPY', usd],
      ['%00', usd],
    ])(
      'sells at the price in the currency %s that the SDK asks for, else in US dollars',
      async (asked, expected) => {
        const product = await priced([usd, eur], { type: 'consumable' });
        expect(await shown(product.store_identifier, asked)).toEqual(expected);
        const ada = buyer(store);
        // The web SDK posts the currency without the price.
        await ada.buy(product.store_identifier, asked === undefined ? {} : { currency: asked });
        expect(await charged(ada.id)).toEqual([['one_time', expected.amount_micros, expected.currency]]);
      },
    );

    it('sells at the first price by currency if there is none in US dollars', async () => {
      const product = await priced([gbp, eur]);
      expect(await shown(product.store_identifier, 'USD')).toEqual(eur);
      const ada = buyer(store);
      await ada.buy(product.store_identifier, { currency: 'USD' });
      expect(await charged(ada.id)).toEqual([['purchase', eur.amount_micros, 'EUR']]);
    });

    it('shows and charges a changed price at once', async () => {
      const product = await priced([usd, eur]);
      expect(await shown(product.store_identifier, 'EUR')).toEqual(eur);
      await patch(product.id, 'EUR', { amount_micros: 1_000_000 });
      expect(await shown(product.store_identifier, 'EUR')).toEqual(price(1_000_000, 'EUR'));
    });

    it('charges the price that the SDK names', async () => {
      const product = await priced([usd, eur]);
      const ada = buyer(store);
      await ada.buy(product.store_identifier, { currency: 'EUR', price: 1.5 });
      expect(await charged(ada.id)).toEqual([['purchase', 1_500_000, 'EUR']]);
    });

    it('charges the first payment after a trial in the currency of the sale', async () => {
      await post(`/apps/${store.appId}`, { test_store: { renewal_mode: 'real' } });
      const product = await priced([usd, eur], { subscription: { duration: 'P1M', trial_duration: 'P1W' } });
      const ada = buyer(store);
      await ada.buy(product.store_identifier, { currency: 'EUR' });
      store.clock.advanceMs(8 * 86_400_000);
      await store.server.app.get(DueWorkJob).run();
      await post(`/apps/${store.appId}`, { test_store: { renewal_mode: 'none' } });
      expect(await charged(ada.id)).toEqual([
        ['trial', 0, 'EUR'],
        ['renewal', eur.amount_micros, 'EUR'],
      ]);
    });

    it('simulates purchases in each currency, and product changes in the same one', async () => {
      const small = await priced([usd, eur], { subscription: { duration: 'P1M' } });
      const large = await priced([price(30_000_000, 'USD'), price(20_000_000, 'EUR')], {
        subscription: { duration: 'P1M' },
      });
      const simulate = async (body: object): Promise<Json> => made('/test_purchases', body);
      const ada = buyer(store);
      const { subscription } = await simulate({
        app_user_id: ada.id,
        product_id: small.id,
        currency: 'EUR',
      });
      store.clock.advanceMs(60_000);
      await simulate({
        subscription_id: subscription.id,
        scenario: 'product_change',
        new_product_id: large.id,
      });
      const rows = await charged(ada.id);
      expect(rows[0]).toEqual(['purchase', eur.amount_micros, 'EUR']);
      expect(rows.at(-1)).toEqual([expect.any(String), 20_000_000, 'EUR']);
    });
  });
});
