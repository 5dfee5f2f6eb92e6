import { runVerify } from '../../../libs/importer/index.js';
import { type AppStoreWorld, startAppStoreWorld } from '../../support/arrange-app-store.js';
import { createSecretKey } from '../../support/arrange.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/index.js';
import { fakeProducts } from '../../support/fake-app-store/fake-app-store.js';
import type { FakeSubscription } from '../../support/fake-app-store/fake-subscription.js';
import {
  FakeVendor,
  seedWorld,
  tokenFile,
  VENDOR_KEY,
  VENDOR_PUBLIC_KEY,
  type VendorSubscription,
} from '../../support/fake-vendor/index.js';
import { ImportBench, TestRuntime } from '../../support/import-bench.js';

const DAY_MS = 86_400_000;
const CUSTOMERS = Number(process.env.IMPORT_CUSTOMERS ?? 5000);
/** Customers whose purchases continue here. */
const LIVE = Math.min(500, CUSTOMERS / 2);

interface LiveCustomer {
  id: string;
  subscription: FakeSubscription;
}

/** A whole move: import, verify, and then what stores and devices send of the customers who were moved. */
describe(`${CUSTOMERS} customers who move`, () => {
  let world: AppStoreWorld;
  let database: TestDatabase;
  let vendor: FakeVendor;
  let bench: ImportBench;
  let key: string;
  let live: LiveCustomer[];

  beforeAll(async () => {
    database = await createTestDatabase();
    world = await startAppStoreWorld({ databaseUrl: database.url });
    ({ key } = await createSecretKey(world.session, world.projectId));
    bench = await ImportBench.open();
    live = buyAtTheStore();
    const seeded = seedWorld({ customers: CUSTOMERS - LIVE, nowMs: world.clock.nowMs(), seed: 3 });
    vendor = new FakeVendor(seeded);
    seeded.products.push({
      id: 'prodlive',
      app_id: 'appios',
      store_identifier: fakeProducts.monthly.id,
      type: 'subscription',
      subscription: { duration: 'P1M' },
    });
    Object.assign(seeded.products.at(-1)!, { object: 'product', created_at: 1, display_name: null });
    seeded.entitlements[0]!.product_ids.push('prodlive');
    for (const { id, subscription } of live) {
      seeded.customers.set(id, { ...emptyCustomer(id), subscriptions: [shownByVendor(id, subscription)] });
    }
    vendor.index();
    await vendor.start();
  });

  afterAll(async () => {
    await vendor.close();
    await world.close();
    await bench.close();
    await database.drop();
  });

  /** Subscriptions at the store with one to four periods, all of which run when they are imported. */
  function buyAtTheStore(): LiveCustomer[] {
    const customers: LiveCustomer[] = [];
    for (let month = 0; month < 4; month += 1) {
      for (const { subscription } of customers) {
        world.clock.setMs(Math.max(world.clock.nowMs(), Number(subscription.latest.expiresDate) - 60_000));
        subscription.renew();
      }
      for (let index = month; index < LIVE; index += 4) {
        const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
        customers.push({ id: `live-${index}`, subscription });
      }
    }
    return customers;
  }

  function emptyCustomer(id: string) {
    const seenAt = world.clock.nowMs() - 100 * DAY_MS;
    return {
      id,
      first_seen_at: seenAt,
      last_seen_at: seenAt,
      aliases: [id],
      attributes: [],
      subscriptions: [],
      purchases: [],
      balances: {},
      hidden: false,
      life: 'live',
    };
  }

  function shownByVendor(id: string, { transactions, latest }: FakeSubscription): VendorSubscription {
    const endsAt = Number(latest.expiresDate);
    const isActive = endsAt > world.clock.nowMs();
    return {
      id: `sub${id.replace('-', '')}`,
      original_customer_id: id,
      product_id: 'prodlive',
      starts_at: Number(transactions[0]?.purchaseDate),
      current_period_starts_at: Number(latest.purchaseDate),
      current_period_ends_at: endsAt,
      ends_at: isActive ? endsAt : null,
      gives_access: isActive,
      auto_renewal_status: isActive ? 'will_renew' : 'will_not_renew',
      status: isActive ? 'active' : 'expired',
      environment: 'production',
      store: 'app_store',
      store_subscription_identifier: latest.transactionId as string,
      ownership: 'purchased',
      country: 'US',
      presented_offering_id: null,
      transactions: transactions.map((transaction) => ({
        id: transaction.transactionId as string,
        purchased_at: Number(transaction.purchaseDate),
        expiration_date: Number(transaction.expiresDate),
        product_store_identifier: fakeProducts.monthly.id,
        revenue: { amount: 9.99, currency: 'USD' },
      })),
      v1: {},
      secret: {},
    };
  }

  const sides = () => ({
    sourceUrl: vendor.baseUrl,
    sourceKey: VENDOR_KEY,
    to: world.server.baseUrl,
    toKey: key,
  });

  it('finds all after the import, and verify reports no difference', async () => {
    const given = { ...sides(), targetUrl: world.server.baseUrl, targetKey: key };
    const runtime = new TestRuntime(world.clock.nowMs());
    const flags = { pageSize: '100', concurrency: '16', googleTokens: await tokenFile(vendor, bench.folder) };
    const { status, report } = await bench.run(given, flags, runtime);
    expect([status, report.errors]).toEqual([0, []]);
    expect(report.customers).toMatchObject({ read: CUSTOMERS, created: CUSTOMERS });
    const verifying = new TestRuntime(world.clock.nowMs());
    await runVerify({ ...sides(), concurrency: '16', json: true, quiet: true }, {}, null, verifying);
    expect(JSON.parse(verifying.output).differences).toEqual([]);
  });

  /** Uses the vendor's key, as released builds do. */
  const post = async (id: string, subscription: FakeSubscription) => {
    const sdk = world.server.http.withKey(VENDOR_PUBLIC_KEY).with({ 'x-platform': 'iOS' });
    const body = { app_user_id: id, fetch_token: subscription.signed() };
    expect((await sdk.post('/v1/receipts', body)).status).toBe(200);
  };

  const active = (id: string) =>
    world.backend
      .get(`${world.path}/customers/${id}/active_entitlements`)
      .then(({ body }) => body.items.length as number);

  it('keeps access when devices post receipts and the store reports renewals; nothing is emitted or counted twice', async () => {
    const imported = new Map(live.map(({ id, subscription }) => [id, subscription.transactions.length]));
    for (const [index, { id, subscription }] of live.entries()) {
      expect(await active(id)).toBe(1);
      // For half of the renewals the store notifies before the app posts.
      if (index % 2 === 0) await post(id, subscription);
      expect(await active(id)).toBe(1);
    }
    const byEnd = live.toSorted((a, b) => endOf(a) - endOf(b));
    for (const each of byEnd) {
      world.clock.setMs(Math.max(world.clock.nowMs(), endOf(each) - 60_000));
      expect((await world.notify(each.subscription.renew())).status).toBe(200);
      expect(await active(each.id)).toBe(1);
      await post(each.id, each.subscription);
    }
    const leaving = byEnd.filter((_, index) => index % 5 === 0);
    for (const { id, subscription } of leaving) {
      await world.notify(subscription.cancel());
      expect(await active(id)).toBe(1);
    }
    const staying = byEnd.filter((_, index) => index % 5 !== 0);
    for (const each of staying) {
      world.clock.setMs(Math.max(world.clock.nowMs(), endOf(each) - 60_000));
      await world.notify(each.subscription.renew());
      expect(await active(each.id)).toBe(1);
    }
    world.clock.setMs(Math.max(...leaving.map(endOf)) + 60_000);
    for (const { id, subscription } of leaving) {
      await world.notify(subscription.expire('VOLUNTARY'));
      expect(await active(id)).toBe(0);
    }
    const events = new Map<string, number>();
    for (const { id } of live) {
      for (const type of await world.events(id)) events.set(type, (events.get(type) ?? 0) + 1);
    }
    expect(Object.fromEntries(events)).toEqual({
      RENEWAL: live.length + staying.length,
      'CANCELLATION/UNSUBSCRIBE': leaving.length,
      'EXPIRATION/UNSUBSCRIBE': leaving.length,
    });
    for (const { id, subscription } of live) {
      const periods = (imported.get(id) ?? 0) + (leaving.some((each) => each.id === id) ? 1 : 2);
      expect(subscription.transactions).toHaveLength(periods);
      const { total_revenue_in_usd: revenue } = await world.subscription(id);
      expect(revenue.gross).toBeCloseTo(periods * 9.99, 2);
    }
  });

  const endOf = ({ subscription }: LiveCustomer) => Number(subscription.latest.expiresDate);
});
