import fc from 'fast-check';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { CustomerListJob } from '../../src/support/customer-list/customer-list.job.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { brokenInvariants } from '../support/customer-invariants.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

const anonymous = (start: string): string => `$RCAnonymousID:${start.padEnd(32, '0')}`;

describe('lists of customers with filters', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  afterAll(async () => {
    expect(await brokenInvariants(server.dataSource)).toEqual({});
    await server.close();
  });

  /** Each test has a project of its own. */
  beforeEach(async () => {
    server.clock.setMs(TEST_START_MS);
    store = await createTestStore(server);
  });

  let made = 0;
  const buy = async (customer: string, productId = 'pro_monthly', more: object = {}): Promise<void> => {
    const token = `test_${server.clock.nowMs()}_f-${++made}`;
    const body = {
      app_user_id: customer,
      fetch_token: token,
      product_id: productId,
      currency: 'USD',
      ...more,
    };
    const { status, text } = await store.sdk.post('/v1/receipts', body);
    expect([status, text]).toEqual([200, text]);
  };
  /** A purchase in a state that the Test Store simulates. */
  const simulate = async (customer: string, scenario: string, more: object = {}): Promise<Json> => {
    const body = { app_user_id: customer, product_id: 'pro_monthly', scenario, ...more };
    const { status, body: answer, text } = await store.backend.post(`${store.path}/test_purchases`, body);
    expect([status, text]).toEqual([201, text]);
    return answer;
  };
  const see = (customer: string, headers: Record<string, string> = {}) =>
    store.sdk.get(`/v1/subscribers/${encodeURIComponent(customer)}`, headers);
  const flush = (): Promise<void> => server.app.get(LastSeenRecorder).flush();
  const grant = (customer: string, body: object = {}) =>
    store.backend.post(`${store.path}/customers/${customer}/actions/grant_entitlement`, {
      entitlement_id: store.entitlements.pro.id,
      expires_at: server.clock.nowMs() + DAY_MS,
      ...body,
    });
  const setAttributes = (customer: string, attributes: Record<string, string>) =>
    store.backend.post(`${store.path}/customers/${encodeURIComponent(customer)}/attributes`, {
      attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    });
  const get = (query: string) => store.backend.get(`${store.path}/filtered_customers?${query}`);
  const list = async (query: string): Promise<Json[]> => {
    const { status, body, text } = await get(query);
    expect([query, status, text]).toEqual([query, 200, text]);
    return body.items;
  };
  const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id);
  const walk = async (path: string): Promise<Json[]> => {
    const rows: Json[] = [];
    for (let next: string | null = path; next !== null;) {
      const { body } = await store.backend.get(next);
      rows.push(...body.items);
      next = body.next_page;
    }
    return rows;
  };
  /** In the sandbox, where purchases in the Test Store are. */
  const matching = async (query: string): Promise<string[]> =>
    (await ids(`environment=sandbox&${query}`)).sort();

  describe('filters by status', () => {
    it('finds active customers, until their access ends, without any write', async () => {
      await buy('monthly');
      await buy('yearly', 'pro_yearly');
      await see('looker');
      expect(await matching('status=active')).toEqual(['monthly', 'yearly']);
      server.clock.setMs(TEST_START_MS + 40 * DAY_MS);
      expect(await matching('status=active')).toEqual(['yearly']);
      expect(await matching('status=expired')).toEqual(['monthly']);
    });

    it('finds customers in a trial, until it ends', async () => {
      await simulate('trying', 'trial');
      await buy('paying');
      expect(await matching('status=trial')).toEqual(['trying']);
      expect(await matching('status=active')).toEqual(['paying', 'trying']);
      server.clock.setMs(TEST_START_MS + 400 * DAY_MS);
      expect(await matching('status=trial')).toEqual([]);
    });

    it('tells grace periods from billing issues without access', async () => {
      await simulate('grace', 'billing_issue');
      await simulate('retry', 'billing_issue_no_grace');
      await buy('fine');
      expect(await matching('status=in_grace_period')).toEqual(['grace']);
      expect(await matching('status=billing_issue')).toEqual(['grace', 'retry']);
      expect(await matching('status=expired')).toEqual(['retry']);
    });

    it('finds refunded customers, and not those whose refund was reversed', async () => {
      await simulate('refunded', 'refund');
      await simulate('reversed', 'refund_reversed');
      await buy('fine');
      expect(await matching('status=refunded')).toEqual(['refunded']);
    });

    it('finds customers without purchases, in each environment', async () => {
      await see('looker');
      await buy('buyer');
      expect(await matching('status=never_bought')).toEqual(['looker']);
      expect((await ids('status=never_bought')).sort()).toEqual(['buyer', 'looker']);
    });

    it('counts grants as access, and not as purchases', async () => {
      await see('given');
      expect((await grant('given')).status).toBe(201);
      expect(await ids('status=active')).toEqual(['given']);
      expect(await ids('status=never_bought')).toEqual(['given']);
      expect(await ids('store=promotional')).toEqual(['given']);
      server.clock.setMs(TEST_START_MS + 2 * DAY_MS);
      expect(await ids('status=active')).toEqual([]);
      expect(await ids('status=expired')).toEqual([]);
    });

    it('shows the statuses, the stores and the amount of each customer', async () => {
      await simulate('grace', 'billing_issue');
      const [row] = await list('environment=sandbox');
      expect(row).toMatchObject({
        object: 'customer',
        id: 'grace',
        statuses: ['active', 'in_grace_period', 'billing_issue'],
        stores: ['test_store'],
        spent_in_usd: 9.99,
      });
      expect((await list(''))[0]).toMatchObject({ statuses: ['never_bought'], stores: [], spent_in_usd: 0 });
    });
  });

  describe('filters by purchases', () => {
    it('finds buyers of a product and, with a status, those to whom it gives access', async () => {
      await buy('monthly');
      await buy('yearly', 'pro_yearly');
      const product = `product_id=${store.products.monthly.id}`;
      expect(await matching(product)).toEqual(['monthly']);
      server.clock.setMs(TEST_START_MS + 40 * DAY_MS);
      await buy('monthly', 'pro_yearly');
      expect(await matching(product)).toEqual(['monthly']);
      expect(await matching(`status=active&product_id=${store.products.yearly.id}`)).toEqual([
        'monthly',
        'yearly',
      ]);
    });

    it('finds customers by entitlement, whatever unlocked it', async () => {
      await buy('subscriber');
      await buy('lifetime', 'pro_lifetime');
      await buy('coins', 'coins_100');
      const entitlement = `entitlement_id=${store.entitlements.pro.id}`;
      expect(await matching(entitlement)).toEqual(['lifetime', 'subscriber']);
      await see('given');
      await grant('given');
      expect(await ids(entitlement)).toEqual(['given']);
    });

    it('follows the catalog at once', async () => {
      await buy('coins', 'coins_100');
      const entitlement = `entitlement_id=${store.entitlements.pro.id}`;
      expect(await matching(entitlement)).toEqual([]);
      await store.backend.post(
        `${store.path}/entitlements/${store.entitlements.pro.id}/actions/attach_products`,
        { product_ids: [store.products.coins.id] },
      );
      expect(await matching(entitlement)).toEqual(['coins']);
    });

    it('finds customers by store', async () => {
      await buy('buyer');
      await see('looker');
      expect(await matching('store=test_store')).toEqual(['buyer']);
      expect(await matching('store=app_store')).toEqual([]);
    });

    it('finds customers who spent at least an amount, refunds subtracted', async () => {
      await buy('little');
      await buy('much', 'pro_lifetime');
      await simulate('refunded', 'refund', { product_id: 'pro_monthly' });
      expect(await matching('spent_at_least=9.99')).toEqual(['little', 'much']);
      expect(await matching('spent_at_least=100')).toEqual(['much']);
      expect(await ids('spent_at_least=1')).toEqual([]);
    });
  });

  describe('filters by device and time', () => {
    beforeEach(async () => {
      await see('phone', {
        'x-platform': 'iOS',
        'x-client-version': '1.2.3',
        'x-storefront': 'DEU',
      });
      server.clock.setMs(TEST_START_MS + DAY_MS);
      await see('tablet', { 'x-platform': 'android', 'x-client-version': '2.0', 'x-storefront': 'USA' });
      await flush();
    });

    it('finds customers by country', async () => {
      expect(await ids('country=DE')).toEqual(['phone']);
      expect(await ids('country=us')).toEqual(['tablet']);
    });

    it('finds customers by the country of their newest purchase if no device sent one', async () => {
      await buy('buyer', 'pro_monthly', { store_country: 'ITA' });
      expect(await ids('country=IT')).toEqual(['buyer']);
      server.clock.setMs(TEST_START_MS + 2 * DAY_MS);
      await buy('buyer', 'pro_lifetime', { store_country: 'PRT' });
      await buy('phone', 'pro_monthly', { store_country: 'PRT' });
      expect(await list('country=PT')).toMatchObject([
        { id: 'buyer', last_seen_country: null, country: 'PT', country_source: 'purchase' },
      ]);
      expect(await matching('country=PT')).toEqual(['buyer']);
      expect(await ids('country=IT')).toEqual([]);
      expect(await list('country=DE')).toMatchObject([
        { id: 'phone', country: 'DE', country_source: 'device' },
      ]);
      server.clock.setMs(TEST_START_MS + 3 * DAY_MS);
      await see('buyer', { 'x-storefront': 'ESP' });
      await flush();
      expect(await list('country=ES')).toMatchObject([{ id: 'buyer', country_source: 'device' }]);
      expect(await ids('country=PT')).toEqual([]);
    });

    it('finds customers by platform, in any case', async () => {
      expect(await ids('platform=ios')).toEqual(['phone']);
      expect(await ids('platform=Android')).toEqual(['tablet']);
    });

    it('finds customers by version of the app, and forgets the former one', async () => {
      expect(await ids('app_version=1.2.3')).toEqual(['phone']);
      await see('phone', { 'x-platform': 'iOS', 'x-client-version': '1.3', 'x-storefront': 'DEU' });
      await store.sdk.post('/v1/receipts', {
        app_user_id: 'phone',
        fetch_token: `test_${server.clock.nowMs()}_device`,
        product_id: 'pro_monthly',
      });
      server.clock.setMs(TEST_START_MS + 2 * DAY_MS);
      await see('phone', { 'x-platform': 'iOS', 'x-client-version': '1.3', 'x-storefront': 'DEU' });
      await flush();
      expect(await ids('app_version=1.2.3')).toEqual([]);
      expect(await ids('app_version=1.3')).toEqual(['phone']);
    });

    it('finds customers by the times they were first and last seen', async () => {
      const day = TEST_START_MS + DAY_MS;
      expect(await ids(`first_seen_after=${day}`)).toEqual(['tablet']);
      expect(await ids(`first_seen_before=${day}`)).toEqual(['phone']);
      server.clock.setMs(TEST_START_MS + 3 * DAY_MS);
      await see('phone');
      await flush();
      expect(await ids(`last_seen_after=${day + 1}`)).toEqual(['phone']);
      expect(await ids(`last_seen_before=${day + 1}`)).toEqual(['tablet']);
    });

    it('combines filters', async () => {
      await see('other', { 'x-platform': 'iOS', 'x-client-version': '9', 'x-storefront': 'DEU' });
      await buy('phone');
      await flush();
      expect(await matching('platform=ios&country=DE')).toEqual(['other', 'phone']);
      expect(await matching('platform=ios&country=DE&status=active')).toEqual(['phone']);
      expect(await matching('platform=ios&country=US')).toEqual([]);
      expect(
        await matching(
          `platform=ios&status=active&spent_at_least=5&store=test_store&product_id=${store.products.monthly.id}&entitlement_id=${store.entitlements.pro.id}&first_seen_before=${TEST_START_MS + 1}&search=ph`,
        ),
      ).toEqual(['phone']);
    });
  });

  it('finds customers by the exact value of an attribute', async () => {
    for (const customer of ['ada', 'bob']) await see(customer);
    await setAttributes('ada', { plan: 'team', city: 'Rome' });
    await setAttributes('bob', { plan: 'Team', city: 'Rome' });
    expect(await ids('attribute_name=plan&attribute_value=team')).toEqual(['ada']);
    expect((await ids('attribute_name=city&attribute_value=Rome')).sort()).toEqual(['ada', 'bob']);
    expect(await ids('attribute_name=city&attribute_value=Rome&search=a')).toEqual(['ada']);
    expect(await ids('attribute_name=city&attribute_value=Ro')).toEqual([]);
  });

  describe('search', () => {
    it('finds customers by the beginning of an id, aliases included', async () => {
      await see(anonymous('abcd'));
      await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: anonymous('abcd'),
        new_app_user_id: 'alias-of-abcd',
      });
      await see('alibi');
      await see('Other');
      expect((await ids('search=ali')).sort()).toEqual([anonymous('abcd'), 'alibi']);
      expect(await ids(`search=${encodeURIComponent('$RCAnonymousID:ab')}`)).toEqual([anonymous('abcd')]);
      expect(await ids('search=oth')).toEqual([]);
      expect(await ids('search=%25')).toEqual([]);
    });

    it('finds customers by the beginning of an email, in any case', async () => {
      for (const customer of ['one', 'two']) await see(customer);
      await setAttributes('one', { $email: 'Ada.Lovelace@example.com', $displayName: 'Ada' });
      await setAttributes('two', { $email: 'adam@example.com' });
      expect((await ids('search=ADA')).sort()).toEqual(['one', 'two']);
      expect(await list('search=ada.l')).toMatchObject([
        { id: 'one', email: 'Ada.Lovelace@example.com', display_name: 'Ada' },
      ]);
    });

    it('finds the customer of a store identifier', async () => {
      await buy('buyer');
      expect(await ids(`search=test_${TEST_START_MS}_f-${made}`)).toEqual(['buyer']);
    });
  });

  describe('sorting', () => {
    it.each(['last_seen', 'first_seen', 'spent'])('pages by %s in both directions', async (sort) => {
      for (const [index, customer] of ['c', 'a', 'd', 'b', 'e'].entries()) {
        server.clock.setMs(TEST_START_MS + index * 1000);
        await see(customer);
        if (index % 2 === 0) await buy(customer, index === 2 ? 'pro_lifetime' : 'pro_monthly');
      }
      await flush();
      const value = (row: Json): number =>
        ({ last_seen: row.last_seen_at, first_seen: row.first_seen_at, spent: row.spent_in_usd })[sort];
      for (const order of ['asc', 'desc']) {
        const path = `${store.path}/filtered_customers?environment=sandbox&sort=${sort}&order=${order}`;
        const rows = await walk(`${path}&limit=2`);
        expect(rows.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
        const values = rows.map(value);
        expect(values).toEqual([...values].sort((x, y) => (order === 'asc' ? x - y : y - x)));
        const second = await store.backend.get(`${path}&starting_after=${rows[1]?.id}`);
        expect(second.body.items.map(({ id }: Json) => id)).toEqual(rows.slice(2).map(({ id }) => id));
      }
    });
  });

  it('counts the customers of a list', async () => {
    for (const customer of ['a', 'b', 'c']) await see(customer);
    await buy('c');
    const count = async (query: string): Promise<Json> =>
      (await store.backend.get(`${store.path}/filtered_customers/count?${query}`)).body;
    const rest = { object: 'customer_count', is_exact: true, is_complete: true };
    expect(await count('')).toEqual({ ...rest, count: 3 });
    expect(await count('environment=sandbox&status=active')).toEqual({ ...rest, count: 1 });
  });

  it('states that a count has reached its limit', async () => {
    await server.dataSource.query(
      `INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, tags)
       SELECT $1, 'made-' || n, now(), now(), ARRAY[$1 || '|never_bought'] FROM generate_series(1, 10001) n`,
      [store.projectId],
    );
    for (const query of ['', 'status=never_bought']) {
      const { body } = await store.backend.get(`${store.path}/filtered_customers/count?${query}`);
      expect(body).toMatchObject({ count: 10_000, is_exact: false });
    }
    await server.dataSource.query(`DELETE FROM listed_customers WHERE project_id = $1`, [store.projectId]);
  });

  describe('as CSV', () => {
    it('has every customer of the list in its order, and is audited', async () => {
      for (const customer of ['a', 'b', '=c']) {
        server.clock.setMs(server.clock.nowMs() + 1);
        await see(customer);
      }
      await buy('b');
      await setAttributes('b', { $email: 'b@example.com', $displayName: 'Bea, the first' });
      const path = `${store.path}/filtered_customers/csv?environment=sandbox&sort=first_seen&order=asc`;
      server.clock.setMs(server.clock.nowMs() + 1);
      const { status, text, headers } = await store.backend.get(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
      const at = (ms: number): string => new Date(TEST_START_MS + ms).toISOString();
      expect(text.split('\r\n')).toEqual([
        'app_user_id,email,name,statuses,stores,spent_in_usd,country,platform,app_version,first_seen_at,last_seen_at',
        `a,,,never_bought,,0,,,,${at(1)},${at(1)}`,
        `b,b@example.com,"Bea, the first",active,test_store,9.99,,,,${at(2)},${at(3)}`,
        `'=c,,,never_bought,,0,,,,${at(3)},${at(3)}`,
        '',
      ]);
      const { body } = await store.backend.get(`${store.path}/audit_logs?limit=1`);
      expect(body.items[0]).toMatchObject({ action_type: 'project_customers_exported' });
    });

    it('rejects a list that is too long', async () => {
      await server.dataSource.query(
        `INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, tags)
         SELECT $1, 'made-' || n, now(), now(), '{}' FROM generate_series(1, 10001) n`,
        [store.projectId],
      );
      expect((await store.backend.get(`${store.path}/filtered_customers/csv`)).status).toBe(422);
      await server.dataSource.query('DELETE FROM listed_customers WHERE project_id = $1', [store.projectId]);
    });
  });

  it.each([
    ['status=asleep', 'status'],
    ['sort=name', 'sort'],
    ['order=up', 'order'],
    ['store=corner', 'store'],
    ['country=Germany', 'country'],
    ['spent_at_least=-1', 'spent_at_least'],
    ['spent_at_least=much', 'spent_at_least'],
    ['first_seen_after=yesterday', 'first_seen_after'],
    ['last_seen_before=1.5', 'last_seen_before'],
    ['attribute_name=plan', 'attribute_value'],
    ['attribute_value=team', 'attribute_name'],
    ['environment=moon', 'environment'],
    ['search=', 'search'],
    ['starting_after=nobody', 'starting_after'],
    ['limit=x', 'limit'],
  ])('rejects %s and names the parameter', async (query, param) => {
    const { status, body } = await get(query);
    expect([status, body.type, body.param]).toEqual([400, 'parameter_error', param]);
  });

  it.each(['product_id', 'entitlement_id'])('answers 404 for an unknown %s', async (param) => {
    const { status, body } = await get(`${param}=other`);
    expect([status, body.type, body.param]).toEqual([404, 'resource_missing', param]);
  });

  it('lists no customer of another project', async () => {
    await see('private', { 'x-platform': 'iOS' });
    await setAttributes('private', { $email: 'private@example.com', plan: 'team' });
    await flush();
    const other = await createTestStore(server);
    for (const query of ['', 'search=private', 'platform=ios', 'attribute_name=plan&attribute_value=team']) {
      const { body } = await other.backend.get(`${other.path}/filtered_customers?${query}`);
      expect([query, body.items]).toEqual([query, []]);
    }
    expect((await other.backend.get(`${store.path}/filtered_customers`)).status).toBe(404);
  });

  it('requires permission to read customers', async () => {
    const charts = await createSecretKey(store.session, store.projectId, ['charts_metrics:charts:read']);
    const path = `${store.path}/filtered_customers`;
    for (const url of [path, `${path}/count`]) expect((await charts.client.get(url)).status).toBe(403);
    const reader = await createSecretKey(store.session, store.projectId, [
      'customer_information:customers:read',
    ]);
    expect((await reader.client.get(path)).status).toBe(200);
  });

  describe('keeps the list right', () => {
    it('when customers are merged', async () => {
      await see('target');
      await see(anonymous('5'));
      await buy(anonymous('5'));
      server.clock.setMs(TEST_START_MS + 1);
      await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: anonymous('5'),
        new_app_user_id: 'target',
      });
      expect(await list('environment=sandbox')).toMatchObject([
        { id: 'target', statuses: ['active'], spent_in_usd: 9.99 },
      ]);
    });

    it('when purchases are transferred', async () => {
      await buy('giver');
      await see('taker');
      await store.backend.post(`${store.path}/customers/giver/actions/transfer`, {
        target_customer_id: 'taker',
      });
      expect(await matching('status=active')).toEqual(['taker']);
      expect(await matching('spent_at_least=1')).toEqual(['taker']);
      expect(await matching('status=never_bought')).toEqual(['giver']);
    });

    it('when a customer is erased', async () => {
      await buy('gone');
      expect((await store.backend.delete(`${store.path}/customers/gone`)).status).toBe(200);
      expect(await matching('')).toEqual([]);
    });

    it('for customers from before the upgrade, once they are added', async () => {
      for (let index = 0; index < 3; index++) await buy(`early-${index}`);
      await server.app.get(CustomerListJob).run();
      await server.dataSource.query('DELETE FROM listed_customers WHERE project_id = $1', [store.projectId]);
      await server.dataSource.query('INSERT INTO listed_customer_fills (project_id) VALUES ($1)', [
        store.projectId,
      ]);
      expect((await get('environment=sandbox')).body).toMatchObject({ items: [], is_complete: false });
      await buy('late');
      await server.app.get(CustomerListJob).run();
      const { body } = await get('environment=sandbox&status=active&spent_at_least=9.99');
      expect(body.is_complete).toBe(true);
      expect(body.items.map(({ id }: Json) => id).sort()).toEqual(['early-0', 'early-1', 'early-2', 'late']);
    });
  });

  type Step = { customer: number; other: number; kind: string; days: number };
  const kinds = [
    'buy',
    'coins',
    'trial',
    'grace',
    'refund',
    'grant',
    'see',
    'identify',
    'transfer',
    'delete',
  ];
  const history = fc.array(
    fc.record({
      customer: fc.nat(3),
      other: fc.nat(3),
      kind: fc.constantFrom(...kinds),
      days: fc.nat(20),
    }),
    { minLength: 5, maxLength: 14 },
  );

  it('equals what is computed from the purchases, after random histories', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        server.clock.setMs(TEST_START_MS);
        store = await createTestStore(server);
        for (const step of steps) {
          await perform(step);
          expect(await brokenInvariants(server.dataSource)).toEqual({});
          await server.app.get(CustomerListJob).run();
        }
        expect(await brokenInvariants(server.dataSource)).toEqual({});
        const rows = await list('environment=sandbox&limit=100');
        for (const row of rows) {
          const path = `${store.path}/customers/${encodeURIComponent(row.id)}`;
          const subscriptions = (await store.backend.get(`${path}/subscriptions?environment=sandbox`)).body
            .items as Json[];
          const statuses = new Set(row.statuses);
          const some = (test: (subscription: Json) => boolean): boolean => subscriptions.some(test);
          expect([steps, row.id, statuses.has('active')]).toEqual([
            steps,
            row.id,
            some(({ gives_access }) => gives_access),
          ]);
          expect(statuses.has('trial')).toBe(some(({ status }) => status === 'trialing'));
          expect(statuses.has('in_grace_period')).toBe(some(({ status }) => status === 'in_grace_period'));
        }
      }),
      { numRuns: 8 },
    );
  });

  async function perform({ customer, other, kind, days }: Step): Promise<void> {
    server.clock.setMs(server.clock.nowMs() + days * DAY_MS + 1);
    const id = customer % 2 === 0 ? `person-${customer}` : anonymous(`${customer}`);
    const target = `person-${other - (other % 2)}`;
    const path = `${store.path}/customers/${encodeURIComponent(id)}`;
    switch (kind) {
      case 'buy':
        return buy(id, 'pro_monthly', { store_country: days % 2 === 0 ? 'ITA' : 'PRT' });
      case 'coins':
        return buy(id, 'coins_100');
      case 'trial':
        await simulate(id, 'trial');
        return;
      case 'grace':
        await simulate(id, 'billing_issue');
        return;
      case 'refund':
        await simulate(id, 'refund');
        return;
      case 'grant':
        await grant(encodeURIComponent(id));
        return;
      case 'identify':
        await store.sdk.post('/v1/subscribers/identify', { app_user_id: id, new_app_user_id: target });
        return;
      case 'transfer':
        await store.backend.post(`${path}/actions/transfer`, { target_customer_id: target });
        return;
      case 'delete':
        await store.backend.delete(path);
        return;
      default:
        await see(id, { 'x-platform': days % 2 === 0 ? 'iOS' : 'android' });
        await flush();
    }
  }
});
