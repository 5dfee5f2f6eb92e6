import { gzipSync } from 'node:zlib';
import { runImport, runPlan, runVerify } from '../../libs/importer/index.js';
import { renewal, trial } from '../../libs/importer/testing/export-rows.js';
import { csv, TestFiles } from '../../libs/importer/testing/test-files.js';
import type { VerifyReport } from '../../libs/importer/verify/verify.model.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { FakeVendor, seedWorld, VENDOR_KEY, type VendorCustomer } from '../support/fake-vendor/index.js';
import { LifeBuilder } from '../support/fake-vendor/seed-lives.js';
import { Seeded } from '../support/fake-vendor/seeded.js';
import { TestRuntime } from '../support/import-bench.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const END = TEST_START_MS + 20 * DAY_MS;

describe('comparing a server with the source of an import', () => {
  let database: TestDatabase;
  let server: TestServer;
  let store: TestStore;
  let vendor: FakeVendor;
  let key: string;
  let readOnly: ApiClient;

  beforeAll(async () => {
    // Imports write past the client of the tests, which counts audit rows for databases of its own.
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url, env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    const created = await createSecretKey(store.session, store.projectId);
    key = created.key;
    readOnly = created.client;
    vendor = new FakeVendor(seedWorld({ customers: 0, nowMs: TEST_START_MS }));
    await vendor.start();
  });

  beforeEach(async () => {
    vendor.world.customers.clear();
    vendor.switches.touchedBetweenPages = 0;
    vendor.index();
    for (const { id } of (await store.backend.get(`${store.path}/customers?limit=100`)).body.items) {
      await store.backend.delete(`${store.path}/customers/${encodeURIComponent(id as string)}`);
    }
  });

  afterAll(async () => {
    await vendor.close();
    await server.close();
    await database.drop();
  });

  function atSource(
    id: string,
    changes: Partial<VendorCustomer> & { proUntil?: number } = {},
  ): VendorCustomer {
    const { proUntil, ...rest } = changes;
    const make = new LifeBuilder(new Seeded(vendor.world.customers.size), TEST_START_MS, id);
    const customer: VendorCustomer = {
      id,
      first_seen_at: TEST_START_MS,
      last_seen_at: TEST_START_MS,
      aliases: [id],
      attributes: [],
      subscriptions: proUntil === undefined ? [] : [make.grant(['pro'], proUntil)],
      purchases: [],
      balances: {},
      hidden: false,
      life: 'made',
      ...rest,
    };
    vendor.world.customers.set(id, customer);
    vendor.index();
    return customer;
  }

  async function atTarget(id: string, { proUntil }: { proUntil?: number } = {}): Promise<void> {
    await store.backend.post(`${store.path}/customers`, { id });
    if (proUntil === undefined) return;
    const body = { entitlement_id: store.entitlements.pro.id, expires_at: proUntil };
    const path = `${store.path}/customers/${encodeURIComponent(id)}/actions/grant_entitlement`;
    expect((await store.backend.post(path, body)).status).toBe(201);
  }

  const sides = () => ({ to: server.baseUrl, toKey: key, sourceKey: VENDOR_KEY, sourceUrl: vendor.baseUrl });

  async function verify(flags: object = {}) {
    const runtime = new TestRuntime(TEST_START_MS);
    const status = await runVerify({ ...sides(), json: true, quiet: true, ...flags }, {}, null, runtime);
    return { status, report: JSON.parse(runtime.output) as VerifyReport, runtime };
  }

  it('finds none where both have the same', async () => {
    atSource('ada', { proUntil: END });
    atSource('100%sure & bob');
    await atTarget('ada', { proUntil: END });
    await atTarget('100%sure & bob');
    const { status, report, runtime } = await verify();
    expect(report.differences).toEqual([]);
    expect(status).toBe(0);
    expect(report).toMatchObject({
      kind: 'verify',
      version: 1,
      source: { project: 'projvendor1' },
      target: { url: server.baseUrl, project: store.projectId },
      customers: { source: 2, target: 2, checked: 2 },
      entitlements: { source: 1, target: 1 },
      access_subscriptions: { source: 1, target: 1, production: { source: 1, target: 1 } },
      by_type: { missing_in_target: 0, expiry: 0 },
    });
    expect(runtime.slept).toEqual([]);
    expect(runtime.output + runtime.errors).not.toContain(key);
  });

  it.each([
    [59, 0],
    [61, 1],
  ])('compares an end %d seconds apart: exits with %d', async (seconds, expected) => {
    atSource('ada', { proUntil: END });
    await atTarget('ada', { proUntil: END + seconds * 1000 });
    const { status, report, runtime } = await verify();
    expect(status).toBe(expected);
    expect(report.by_type.expiry).toBe(expected);
    expect(runtime.slept.length > 0).toBe(expected === 1);
    expect((await verify({ tolerance: '61' })).status).toBe(0);
    expect((await verify({ tolerance: '0' })).status).toBe(1);
  });

  it('looks at a customer again before it reports them', async () => {
    const ada = atSource('ada', { proUntil: END });
    await atTarget('ada', { proUntil: END + DAY_MS });
    const runtime = new TestRuntime(TEST_START_MS);
    const sleep = runtime.sleep.bind(runtime);
    // The source hears of the renewal meanwhile.
    runtime.sleep = async (ms, signal) => {
      for (const grant of ada.subscriptions) grant.current_period_ends_at = grant.ends_at = END + DAY_MS;
      await sleep(ms, signal);
    };
    expect(await runVerify({ ...sides(), quiet: true }, {}, null, runtime)).toBe(0);
    expect(runtime.slept).toEqual([5000]);
    expect(runtime.output).toContain('No differences.');
  });

  it('finds who is missing, also who hides from the list, and names who only the target knows', async () => {
    atSource('ada', { proUntil: END });
    atSource('hidden', { proUntil: END, hidden: true });
    atSource('joined', { aliases: ['joined', 'known by this name'] });
    await atTarget('hidden', { proUntil: END });
    await atTarget('known by this name');
    await atTarget('made here');
    const { status, report } = await verify();
    expect(status).toBe(1);
    expect(report.differences.map(({ id, type }) => [id, type]).sort()).toEqual([
      ['ada', 'missing_in_target'],
      ['joined', 'missing_in_target'],
    ]);
    expect(report.only_in_target).toEqual(['made here']);
    expect(report.by_type.only_in_target).toBe(1);
    expect(report.customers).toEqual({ source: 3, target: 3, checked: 5 });
  });

  it('finds entitlements and subscriptions that one side lacks', async () => {
    atSource('ada', { proUntil: END });
    atSource('bob');
    await atTarget('ada');
    await atTarget('bob');
    await store.sdk.post('/v1/receipts', testReceipt('bob'));
    const { report } = await verify();
    const found = report.differences.map(({ id, type, fixable_by_import }) => [id, type, fixable_by_import]);
    expect(found.sort()).toEqual([
      ['ada', 'entitlement_missing', true],
      ['ada', 'subscription_count', true],
      ['bob', 'entitlement_extra', false],
      ['bob', 'subscription_count', false],
    ]);
    expect(report.access_subscriptions.sandbox).toEqual({ source: 0, target: 1 });
    // A purchase of the Test Store is one of the sandbox.
    const production = await verify({ environment: 'production' });
    expect(production.report.by_type.subscription_count).toBe(1);
  });

  it('compares purchases and balances in depth only', async () => {
    await store.backend.post(`${store.path}/virtual_currencies`, { code: 'GLD', name: 'Gold' });
    const buyer = atSource('ada', { balances: { GLD: 5 } });
    const make = new LifeBuilder(new Seeded(9), TEST_START_MS, 'ada');
    buyer.purchases.push(make.purchase('prodioscoins'));
    await atTarget('ada');
    expect((await verify()).status).toBe(0);
    const { report } = await verify({ deep: true });
    expect(report.differences).toEqual([
      { id: 'ada', type: 'purchase_count', source: 1, target: 0, fixable_by_import: true },
      {
        id: 'ada',
        type: 'balance',
        source: { code: 'GLD', balance: 5 },
        target: { code: 'GLD', balance: 0 },
        fixable_by_import: true,
      },
    ]);
  });

  it('compares a sample that stays the same, in a list whose order changes', async () => {
    for (let index = 0; index < 12; index += 1) {
      atSource(`customer-${index}`);
      await atTarget(`customer-${index}`);
    }
    vendor.switches.touchedBetweenPages = 2;
    const before = vendor.journal.length;
    const read = (from: number, to: number) =>
      vendor.journal
        .slice(from, to)
        .map(({ path }) => /customers\/([^/?]+)\/subscriptions/.exec(path)?.[1])
        .filter((id) => id !== undefined)
        .sort();
    expect((await verify({ sample: '3' })).report.customers.checked).toBe(3);
    const between = vendor.journal.length;
    await verify({ sample: '3' });
    const first = read(before, between);
    expect(first).toHaveLength(3);
    expect(read(between, vendor.journal.length)).toEqual(first);
  });

  it('starts with a plan that has the ids and addresses of the project', async () => {
    await store.backend.post(`${store.path}/apps`, {
      name: 'Example iOS',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    const apps: Json[] = (await readOnly.get(`${store.path}/apps`)).body.items;
    const ios = apps.find(({ type }) => type === 'app_store');
    const runtime = new TestRuntime(TEST_START_MS);
    expect(await runPlan({ ...sides(), json: true }, {}, null, runtime)).toBe(0);
    const steps: Json[] = JSON.parse(runtime.output);
    const step = (title: string) => steps.find(({ title: each }) => each.startsWith(title));
    expect(step('Enter store credentials')).toMatchObject({ done: false });
    expect(step('Keep the public keys')).toMatchObject({ done: false });
    expect(step(`Notifications of Example iOS (${ios.id})`)).toMatchObject({
      done: false,
      command: expect.stringContaining(`/v1/notifications/apple/${ios.id}`),
    });
    expect(step('Compare both sides').command).toBe(
      `tenure import verify --to ${server.baseUrl} --to-project ${store.projectId}`,
    );
    expect(runtime.output).not.toContain(key);

    const withoutSource = new TestRuntime(TEST_START_MS);
    const { to, toKey } = sides();
    expect(await runPlan({ to, toKey }, {}, null, withoutSource)).toBe(0);
    expect(withoutSource.output).toMatch(/ 5\. \[\?\] Keep the public keys/);

    const gone = new TestRuntime(TEST_START_MS);
    vendor.switches.lacks = ['project_configuration:projects:read'];
    expect(await runPlan(sides(), {}, null, gone)).toBe(0);
    vendor.switches.lacks = [];
    expect(gone.errors).toContain('The source cannot be read');
    await expect(runPlan({ to, toKey: 'sk_unknown' }, {}, null, gone)).rejects.toMatchObject({ exitCode: 1 });
  });

  // Customers with new ids: those that were deleted on request are not imported again.
  it('imports again what differs, when asked to', async () => {
    atSource('carol', { proUntil: END, aliases: ['carol', 'another name'] });
    atSource('dave', { proUntil: END });
    await atTarget('dave');
    const { status, report } = await verify({ fix: true });
    expect(report.differences).toEqual([]);
    expect(status).toBe(0);
    expect(report.fixed).toBe(2);
    const path = `${store.path}/customers/another%20name/active_entitlements`;
    expect((await store.backend.get(path)).body.items).toMatchObject([{ expires_at: END }]);
  });

  it('imports files', async () => {
    const named = {
      name: 'iOS of the files',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.files' },
    };
    const app = (await store.backend.post(`${store.path}/apps`, named)).body;
    const product = { store_identifier: 'files_monthly', app_id: app.id, type: 'subscription' };
    const { id } = (await store.backend.post(`${store.path}/products`, product)).body;
    const attach = `${store.path}/entitlements/${store.entitlements.pro.id}/actions/attach_products`;
    await store.backend.post(attach, { product_ids: [id] });
    const folder = new TestFiles();
    await folder.open();
    const run = async (kind: string, content: string | Uint8Array) => {
      const flags = { from: kind, file: [await folder.write(content)], app: [`app_store=${app.id}`] };
      const state = `${folder.path}/${kind}.json`;
      const runtime = new TestRuntime(TEST_START_MS);
      const { to, toKey } = sides();
      expect(
        await runImport({ to, toKey, state, json: true, quiet: true, ...flags }, {}, null, runtime),
      ).toBe(0);
      return JSON.parse(runtime.output) as { customers: Json; subscriptions: number; skipped: Json[] };
    };
    const rows = [
      { ...renewal, start_time: '2025-12-20 00:00:00', end_time: '2026-01-20 00:00:00' },
      { ...trial, start_time: '2025-12-13 00:00:00', end_time: '2025-12-20 00:00:00' },
    ].map((row) => ({
      ...row,
      rc_original_app_user_id: 'erin',
      product_identifier: 'files_monthly',
      effective_end_time: row.end_time,
    }));
    const exported = await run('export', gzipSync(csv(rows)));
    expect(exported).toMatchObject({ customers: { created: 1 }, subscriptions: 1, skipped: [] });
    const listed = csv(
      [{ app_user_id: 'erin', email: 'erin@example.com', last_seen_at: '1760000000000' }],
      ';',
    );
    expect((await run('customers-csv', listed)).customers).toMatchObject({ created: 0, updated: 1 });
    await store.backend.post(`${store.path}/virtual_currencies`, { code: 'SLV', name: 'Silver' });
    const changes = [{ rc_original_app_user_id: 'erin', currency_code: 'SLV', balance: '7', created_at: '' }];
    expect((await run('currency-csv', csv(changes))).customers).toMatchObject({ updated: 1 });
    expect((await run('json', '{"id": "of a line", "aliases": ["x"]}\n')).customers).toMatchObject({
      created: 1,
    });
    await folder.close();

    const customer = `${store.path}/customers/erin`;
    const end = Date.parse('2026-01-20T00:00:00Z');
    expect((await store.backend.get(`${customer}/active_entitlements`)).body.items).toMatchObject([
      { entitlement_id: store.entitlements.pro.id, expires_at: end },
    ]);
    expect((await store.backend.get(`${customer}/attributes`)).body.items).toMatchObject([
      { name: '$email', value: 'erin@example.com' },
    ]);
    expect((await store.backend.get(`${customer}/virtual_currencies`)).body.items).toContainEqual(
      expect.objectContaining({ currency_code: 'SLV', balance: 7 }),
    );
  });

  it('refuses wrong usage before any request', async () => {
    const before = vendor.journal.length;
    for (const wrong of [{ sample: 'x' }, { sourceKey: 'appl_public' }, { toKey: 'no key' }]) {
      await expect(verify(wrong)).rejects.toMatchObject({ exitCode: 2 });
    }
    await expect(verify({ toKey: 'sk_unknown' })).rejects.toMatchObject({ exitCode: 1 });
    expect(vendor.journal.length).toBe(before);
  });
});
