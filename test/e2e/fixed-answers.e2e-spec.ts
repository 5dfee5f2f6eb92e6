import { refusedOperations } from '../../src/customers/not-offered/refused-operations.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  store = await createTestStore(server);
  await store.sdk.get('/v1/subscribers/somebody');
});

afterAll(() => server.close());

const at = (path: string): string => store.path + path;

/** The list without items, with the paging rules of every list. */
async function expectEmptyList(path: string): Promise<void> {
  const answer = await store.backend.get(path);
  expect([answer.status, answer.body]).toEqual([
    200,
    { object: 'list', items: [], next_page: null, url: path },
  ]);
  for (const [query, param] of [
    ['starting_after=anything', 'starting_after'],
    ['limit=ten', 'limit'],
  ]) {
    const bad = await store.backend.get(`${path}?${query}`);
    expect([bad.status, bad.body.param]).toEqual([400, param]);
  }
}

async function expectMissing(path: string): Promise<Json> {
  const { status, body } = await store.backend.get(path);
  expect([path, status, body.type]).toEqual([path, 404, 'resource_missing']);
  return body;
}

describe('invoices of a customer', () => {
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}/customers/somebody/invoices`,
    'customer_information:invoices:read',
  );
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}/customers/somebody/invoices/inv_1/file`,
    'customer_information:invoices:read',
  );

  it('returns an empty list, and no file', async () => {
    await expectEmptyList(at('/customers/somebody/invoices'));
    expect((await expectMissing(at('/customers/somebody/invoices/inv_1/file'))).message).toContain('invoice');
  });

  it('answers 404 for a customer who does not exist, without creating one', async () => {
    for (const path of ['/customers/nobody/invoices', '/customers/nobody/invoices/inv_1/file']) {
      expect((await expectMissing(at(path))).message).toContain('customer "nobody"');
    }
    await expectMissing(at('/customers/nobody'));
  });
});

describe("the vendor's operations that this server does not have", () => {
  const filled = (path: string): string => at(`/${path.replaceAll(/:[a-z_]+/g, 'x1')}`);
  const lists = refusedOperations.filter(({ answer }) => answer === 'empty_list');
  const others = refusedOperations.filter(({ answer }) => answer !== 'empty_list');

  it.each(others)('names the reason: $method $path', async ({ method, path, id, answer, reason }) => {
    const { status, body } = await store.backend.send(method, filled(path), undefined);
    expect([status, body.type, body.retryable]).toEqual(
      answer === 'missing' ? [404, 'resource_missing', false] : [422, 'unprocessable_entity_error', false],
    );
    expect(body.message).toBe(`${id} is not available on this server: ${reason}`);
  });

  it.each(lists)('has an empty list: GET $path', async ({ path }) => {
    await expectEmptyList(filled(path));
  });

  it('answers in the order credential, project, reason, whatever the permissions and the body', async () => {
    const other = await createTestStore(server);
    const { client } = await createSecretKey(store.session, store.projectId, ['charts_metrics:charts:read']);
    for (const { method, path } of refusedOperations) {
      const missing = await server.http.send(method, filled(path), undefined);
      expect([path, missing.status, missing.body.type]).toEqual([path, 401, 'authentication_error']);
      const foreign = await other.backend.send(method, filled(path), undefined);
      expect([path, foreign.status, foreign.body.type]).toEqual([path, 404, 'resource_missing']);
      expect(foreign.body.message).toContain('no project');
      const known = await store.backend.send(method, filled(path), undefined);
      const powerless = await client.send(method, filled(path), method === 'GET' ? undefined : { a: [1] });
      expect([powerless.status, powerless.body]).toEqual([known.status, known.body]);
    }
    const { status } = await server.http.withKey(store.publicKey).post(at('/fonts'), {});
    expect(status).toBe(403);
  });

  it.each([
    ['of another type', 'text/plain', 'a=b'],
    ['that is not JSON', 'application/json', '{'],
    ['over the limit', 'application/json', JSON.stringify({ file_data_base64: 'A'.repeat(2_000_000) })],
  ])('does not read a body %s', async (_, type, body) => {
    const headers = { 'content-type': type };
    const refused = await store.backend.send('POST', at('/fonts'), body, headers);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('media assets')]);
    expect((await server.http.send('POST', at('/fonts'), body, headers)).status).toBe(401);
  });

  it('serves the customer whose id is the word of a refused path by the routes of customers', async () => {
    await store.sdk.get('/v1/subscribers/blocked_customers');
    const aliases = await store.backend.get(at('/customers/blocked_customers/aliases'));
    expect([aliases.status, aliases.body.items[0].id]).toEqual([200, 'blocked_customers']);
    expect((await store.backend.delete(at('/customers/blocked_customers'))).status).toBe(200);
  });
});

describe("the vendor's operations outside REST v2", () => {
  it.each([
    ['GET', '/oauth2/authorize?scope=*:*:read_write'],
    ['POST', '/oauth2/token'],
  ])('names the addresses of this server: %s %s', async (method, address) => {
    const { status, body } = await server.http.send(method, address, undefined);
    expect([status, body.error]).toEqual([404, 'invalid_request']);
    expect(body.error_description).toMatch(/\/oauth\/authorize.*\/oauth\/token/);
  });

  it.each(['change', 'change/preview'])('refuses to change a web subscription: %s', async (step) => {
    const { status, body } = await store.sdk.post(`/rcbilling/v1/subscription/${step}`, {});
    expect([status, body.code]).toEqual([404, 7259]);
    expect(body.message).toContain('web payments');
  });
});

describe('POST /v2/projects/{project_id}/products/{product_id}/create_in_store', () => {
  describeAccess(
    () => server,
    'POST',
    (id) => `/v2/projects/${id}/products/prod1/create_in_store`,
    'project_configuration:products:read_write',
  );

  it('answers 422 for a product there is, 404 for others, with or without a body', async () => {
    const path = at(`/products/${store.products.monthly.id}/create_in_store`);
    for (const body of [undefined, {}, { store_information: { duration: 'ONE_MONTH' } }]) {
      const answer = await store.backend.post(path, body);
      expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
    }
    const other = await createTestStore(server);
    for (const id of ['prod1', other.products.monthly.id as string]) {
      const answer = await store.backend.post(at(`/products/${id}/create_in_store`));
      expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
    }
  });
});

describe('GET /v2/projects/{project_id}/apps/{app_id}/store_kit_config', () => {
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}/apps/app1/store_kit_config`,
    'project_configuration:apps:read',
  );

  it('returns a StoreKit configuration for Xcode, generated from the catalog', async () => {
    const app = await store.backend.post(at('/apps'), {
      name: 'Phone',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    const path = at(`/apps/${app.body.id}/store_kit_config`);
    for (const [identifier, type, duration] of [
      ['pro_monthly', 'subscription', 'P1M'],
      ['pro_quarterly', 'subscription', 'P3M'],
      ['coins_100', 'consumable', null],
      ['dear', 'non_consumable', null],
    ]) {
      // Oldest first: each must be a little older than the next.
      server.clock.advanceMs(1);
      const made = await store.backend.post(at('/products'), {
        store_identifier: identifier,
        app_id: app.body.id,
        type,
        display_name: `My ${identifier}`,
        ...(duration && { subscription: { duration } }),
      });
      expect(made.status).toBe(201);
    }
    const { status, body } = await store.backend.get(path);
    expect([status, body.object]).toEqual([200, 'store_kit_config_file']);
    const { contents } = body;
    expect(Object.keys(contents).sort()).toEqual(
      [
        'identifier',
        'nonRenewingSubscriptions',
        'products',
        'settings',
        'subscriptionGroups',
        'version',
      ].sort(),
    );
    const name = (text: string) => [{ description: '', displayName: text, locale: 'en_US' }];
    expect(contents.products).toEqual([
      {
        displayPrice: '0.99',
        familyShareable: false,
        internalID: expect.stringMatching(/^[0-9A-F]{8}$/),
        localizations: name('My coins_100'),
        productID: 'coins_100',
        referenceName: 'My coins_100',
        type: 'Consumable',
      },
    ]);
    const [group] = contents.subscriptionGroups;
    expect(group.subscriptions).toEqual([
      expect.objectContaining({
        productID: 'pro_monthly',
        displayPrice: '9.99',
        recurringSubscriptionPeriod: 'P1M',
        type: 'RecurringSubscription',
        subscriptionGroupID: group.id,
      }),
      expect.objectContaining({ productID: 'pro_quarterly', recurringSubscriptionPeriod: 'P3M' }),
    ]);
    expect((await store.backend.get(path)).body).toEqual(body);
  });

  it('answers 422 for apps of other stores and 404 for unknown apps', async () => {
    const { status, body } = await store.backend.get(at(`/apps/${store.appId}/store_kit_config`));
    expect([status, body.type]).toEqual([422, 'unprocessable_entity_error']);
    await expectMissing(at('/apps/app1/store_kit_config'));
    const other = await createTestStore(server);
    await expectMissing(at(`/apps/${other.appId}/store_kit_config`));
  });
});

it('adds no row to the audit log when refused', async () => {
  const log = async (): Promise<Json[]> => (await store.backend.get(at('/audit_logs?limit=100'))).body.items;
  const before = await log();
  await store.backend.post(at('/discounts'), {});
  await store.backend.post(at('/fonts'), {});
  await store.backend.post(at(`/products/${store.products.coins.id}/create_in_store`));
  expect(await log()).toEqual(before);
});
