import type { Json } from '../support/api-client.js';
import { type PaddleWorld, startPaddleWorld } from '../support/arrange-paddle.js';
import { startStripeWorld, type StripeWorld } from '../support/arrange-stripe.js';
import { paddleErrors } from '../support/fake-paddle/fake-paddle-api.js';
import { stripeErrors } from '../support/fake-stripe/fake-stripe-api.js';
import { describeListingAccess, listingCalls } from '../support/store-products.js';

const identifiers = (items: Json[]): string[] => items.map((item) => item.store_identifier);

describe('products from Stripe', () => {
  let world: StripeWorld;
  const { list, compare, importAll, products } = listingCalls(() => world);

  const addPrice = (id: string, product: object, more: object): void =>
    void world.stripe.catalog.push({
      id,
      object: 'price',
      active: true,
      currency: 'usd',
      nickname: null,
      unit_amount: 999,
      unit_amount_decimal: '999',
      recurring: null,
      product: { object: 'product', active: true, ...product },
      ...more,
    });

  beforeAll(async () => {
    world = await startStripeWorld({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    const pro = { id: 'prod_Pro', name: 'Pro' };
    const every = (interval: string, count = 1, more = {}) => ({
      recurring: {
        interval,
        interval_count: count,
        usage_type: 'licensed',
        trial_period_days: null,
        ...more,
      },
    });
    addPrice('price_month', pro, { ...every('month', 1, { trial_period_days: 14 }), nickname: 'monthly' });
    addPrice('price_quarter', pro, { ...every('month', 3), currency: 'jpy', unit_amount_decimal: '2400' });
    addPrice('price_old', pro, { ...every('year'), active: false });
    addPrice('price_tiers', pro, { ...every('month', 12), unit_amount: null, unit_amount_decimal: null });
    addPrice('price_book', { id: 'prod_Book', name: 'Book' }, {});
    addPrice('price_gone', { id: 'prod_Gone', name: 'Gone', active: false }, {});
  });

  afterAll(() => world.close());

  beforeEach(() => {
    world.clock.advanceMs(60_000);
    world.api.interfere = () => undefined;
  });

  it('lists prices with their products', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(identifiers(body.items)).toEqual([
      'price_book',
      'price_gone',
      'price_month',
      'price_old',
      'price_quarter',
      'price_tiers',
    ]);
    const [book, gone, month, old, quarter, tiers] = body.items;
    expect(month).toMatchObject({
      parent_identifier: 'prod_Pro',
      type: 'subscription',
      display_name: 'Pro (monthly)',
      duration: 'P1M',
      trial_duration: 'P14D',
      price: { amount_micros: 9_990_000, currency: 'USD' },
      state: 'active',
      store_state: 'active',
      product_id: null,
    });
    expect(quarter).toMatchObject({
      duration: 'P3M',
      price: { amount_micros: 2_400_000_000, currency: 'JPY' },
    });
    expect(tiers).toMatchObject({ duration: 'P1Y', price: null, trial_duration: null });
    expect(book).toMatchObject({ type: 'one_time', display_name: 'Book', duration: null });
    expect([gone.state, old.state, old.store_state]).toEqual(['inactive', 'inactive', 'archived']);
  });

  it('imports a price, and counts a product as all of its prices', async () => {
    const { status, body } = await importAll(['price_book', 'price_month']);
    expect(status).toBe(201);
    expect(body.created).toMatchObject([
      { store_identifier: 'price_book', type: 'one_time', display_name: 'Book' },
      { store_identifier: 'price_month', subscription: { duration: 'P1M' } },
    ]);
    expect(identifiers((await compare()).body.missing_here)).toEqual(['price_quarter', 'price_tiers']);
    await world.backend.post(`${world.path}/products`, {
      app_id: world.appId,
      store_identifier: 'prod_Pro',
      type: 'subscription',
      subscription: { duration: 'P1M' },
    });
    const compared = (await compare()).body;
    // Its other prices have different periods, so none can be compared.
    expect([compared.missing_here, compared.different]).toEqual([[], []]);
    expect(identifiers(compared.missing_in_store)).not.toContain('prod_Pro');
    expect((await products()).has('price_quarter')).toBe(false);
  });

  it('reads all pages of 2,000 prices', async () => {
    const { catalog } = world.stripe;
    const few = catalog.length;
    for (let number = 0; number < 2_000; number++)
      addPrice(`price_x${number}`, { id: 'prod_X', name: 'X' }, {});
    expect((await list()).body.items).toHaveLength(2_000 + few);
    catalog.length = few;
  });

  it('names the permissions that the key needs', async () => {
    world.api.interfere = ({ path }) => (path === '/v1/prices' ? stripeErrors.forbidden : undefined);
    const { status, body } = await list();
    expect([status, body.message]).toEqual([422, expect.stringContaining('may read Prices and Products')]);
  });

  it.each([
    ['limits the calls', stripeErrors.tooMany, '120'],
    ['fails', stripeErrors.down, '60'],
  ])('answers 503 with Retry-After if Stripe %s', async (_, answer, wait) => {
    world.api.interfere = () => answer;
    const { status, headers } = await compare();
    expect([status, headers['retry-after']]).toEqual([503, wait]);
  });

  describe('access', () => {
    describeListingAccess(() => world, 'price_tiers');
  });

  it('says that the key is missing', async () => {
    await world.configure({ stripe_secret_key: null });
    const { status, body } = await list();
    expect([status, body.message]).toEqual([422, 'The app has no stripe_secret_key.']);
  });
});

describe('products from Paddle', () => {
  let world: PaddleWorld;
  const { list, compare, importAll } = listingCalls(() => world);
  const idOf = (kind: string, name: string): string => `${kind}_${name.padEnd(26, '0')}`;

  const addPrice = (name: string, more: object): void =>
    void world.paddle.catalog.push({
      id: idOf('pri', name),
      product_id: idOf('pro', 'news'),
      name: 'Monthly',
      type: 'standard',
      status: 'active',
      billing_cycle: { interval: 'month', frequency: 1 },
      trial_period: null,
      unit_price: { amount: '499', currency_code: 'EUR' },
      product: { id: idOf('pro', 'news'), name: 'News', status: 'active' },
      ...more,
    });

  beforeAll(async () => {
    world = await startPaddleWorld();
    addPrice('a', { trial_period: { interval: 'week', frequency: 2 } });
    addPrice('b', { name: null, billing_cycle: null, unit_price: { amount: '1200', currency_code: 'JPY' } });
    addPrice('c', { status: 'archived' });
  });

  afterAll(() => world.close());

  beforeEach(() => {
    world.clock.advanceMs(60_000);
    world.api.interfere = () => undefined;
    world.api.permissions = [...new Set([...world.api.permissions, 'price.read'])];
  });

  it('lists prices with their products', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      {
        store_identifier: idOf('pri', 'a'),
        parent_identifier: idOf('pro', 'news'),
        type: 'subscription',
        display_name: 'News (Monthly)',
        duration: 'P1M',
        trial_duration: 'P2W',
        price: { amount_micros: 4_990_000, currency: 'EUR' },
        state: 'active',
      },
      { type: 'one_time', display_name: 'News', duration: null, price: { amount_micros: 1_200_000_000 } },
      { state: 'inactive', store_state: 'archived' },
    ]);
  });

  it('imports and compares prices', async () => {
    expect(identifiers((await compare()).body.missing_here)).toEqual([idOf('pri', 'a'), idOf('pri', 'b')]);
    const { status, body } = await importAll([idOf('pri', 'a'), idOf('pri', 'c')]);
    expect([status, body.created.length]).toEqual([201, 2]);
    const compared = (await compare()).body;
    expect(identifiers(compared.missing_here)).toEqual([idOf('pri', 'b')]);
    expect(compared.different).toMatchObject([
      { store_identifier: idOf('pri', 'c'), field: 'state', here: 'active', in_store: 'inactive' },
    ]);
  });

  it('reads all pages of 2,000 prices', async () => {
    const { catalog } = world.paddle;
    const few = catalog.length;
    for (let number = 0; number < 2_000; number++) addPrice(`x${number}x`, {});
    expect((await list()).body.items).toHaveLength(2_000 + few);
    catalog.length = few;
  });

  it('names the permissions that the key needs', async () => {
    world.api.permissions = world.api.permissions.filter((name) => name !== 'price.read');
    const { status, body } = await list();
    expect([status, body.message]).toEqual([422, expect.stringContaining('price.read and product.read')]);
  });

  it('answers 503 with Retry-After if Paddle limits the calls', async () => {
    world.api.interfere = () => paddleErrors.tooMany;
    const { status, headers } = await list();
    expect([status, headers['retry-after']]).toEqual([503, '47']);
  });

  describe('access', () => {
    describeListingAccess(() => world, idOf('pri', 'b'));
  });

  it('says that the key is missing', async () => {
    await world.configure({ paddle_api_key: null });
    const { status, body } = await list();
    expect([status, body.message]).toEqual([422, 'The app has no paddle_api_key.']);
  });
});
