import { readFileSync } from 'node:fs';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { CustomerCountsJob } from '../../src/insights/metrics/customer-counts.job.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { sellSubscription, type SoldPeriod, sellOnce } from '../support/sales.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text.length === 10 ? `${text}T12:00:00Z` : text);
const usd = (amount: number): number => Math.round(amount * 1_000_000);

const ids = [
  'active_trials',
  'active_subscriptions',
  'mrr',
  'revenue',
  'new_customers',
  'active_users',
  'num_tx_last_28_days',
];

describe('metrics', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  beforeEach(() => server.clock.setMs(TEST_START_MS));

  afterAll(() => server.close());

  const rollUp = async () => {
    await server.app.get(ChartsRollupJob).run();
    await server.app.get(CustomerCountsJob).run();
  };
  const marks = async (projectId: string): Promise<number> => {
    const sql = 'SELECT count(*)::int AS count FROM chart_changes WHERE project_id = $1';
    return (await server.dataSource.query<{ count: number }[]>(sql, [projectId]))[0]?.count ?? 0;
  };

  /** A project with an App Store app: monthly and yearly products, and a weekly one of unnamed length. */
  async function createProject() {
    const { session, projectId } = await signUp(server);
    const { client } = await createSecretKey(session, projectId);
    const path = `/v2/projects/${projectId}`;
    const app = await client.post(`${path}/apps`, {
      name: 'App',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    const appId: string = app.body.id;
    const product = async (storeIdentifier: string, type: string, duration?: string): Promise<string> => {
      const answer = await client.post(`${path}/products`, {
        store_identifier: storeIdentifier,
        app_id: appId,
        type,
        display_name: storeIdentifier,
        ...(duration ? { subscription: { duration } } : {}),
      });
      return answer.body.id;
    };
    const monthlyId = await product('monthly', 'subscription', 'P1M');
    await product('yearly', 'subscription', 'P1Y');
    await product('weekly', 'subscription');
    await product('coins', 'consumable');
    const overview = async (query = ''): Promise<Record<string, number>> => {
      const answer = await client.get(`${path}/metrics/overview${query}`);
      expect(answer.status).toBe(200);
      return Object.fromEntries(answer.body.metrics.map(({ id, value }: Json) => [id, value]));
    };
    const history = async (query: string): Promise<Json> => {
      const answer = await client.get(`${path}/metrics/history?${query}`);
      expect(answer.status).toBe(200);
      const byDate = Object.fromEntries(answer.body.values.map(({ date, value }: Json) => [date, value]));
      return { ...answer.body, byDate };
    };
    const sell = (storeProductId: string, periods: SoldPeriod[], more: object = {}) =>
      sellSubscription(server, { projectId, appId, storeProductId, periods, ...more });
    const sellCoins = (atMs: number, amountMicros: number, more: object = {}) =>
      sellOnce(server, { projectId, appId, storeProductId: 'coins', atMs, amountMicros, ...more });
    return { projectId, appId, monthlyId, path, client, overview, history, sell, sellCoins };
  }

  const period = (
    start: string,
    end: string,
    amountMicros: number | null,
    more: Partial<SoldPeriod> = {},
  ) => ({
    startMs: at(start),
    endMs: at(end),
    amountMicros,
    ...more,
  });

  describe('of a project without sales', () => {
    it('lists seven, in order, all zero and as of now', async () => {
      const { client, path } = await createProject();
      const { status, body } = await client.get(`${path}/metrics/overview`);
      expect([status, body.object, body.currency]).toEqual([200, 'overview_metrics', 'USD']);
      expect(body.metrics.map(({ id }: Json) => id)).toEqual(ids);
      expect(body.metrics.map(({ unit }: Json) => unit).join('')).toBe('##$$###');
      expect(body.metrics.map(({ period }: Json) => period)).toEqual([
        'P0D',
        'P0D',
        ...Array<string>(5).fill('P28D'),
      ]);
      expect(body.metrics[6]).toEqual({
        object: 'overview_metric',
        id: 'num_tx_last_28_days',
        name: 'Number of transactions in the last 28 days',
        description: 'Last 28 days',
        unit: '#',
        period: 'P28D',
        value: 0,
        last_updated_at: TEST_START_MS,
        last_updated_at_iso8601: '2026-01-02T03:04:05.678Z',
      });
      expect(new Set(body.metrics.map(({ value }: Json) => value))).toEqual(new Set([0]));
    });

    it('returns a history of zeros, today included', async () => {
      const { client, path } = await createProject();
      const { body } = await client.get(`${path}/metrics/history?metric=mrr&days=7&environment=sandbox`);
      expect(body).toEqual({
        object: 'metric_history',
        id: 'mrr',
        currency: 'USD',
        days: 7,
        environment: 'sandbox',
        resolution: 'day',
        value: 0,
        previous_value: 0,
        values: ['27', '28', '29', '30', '31', '01', '02'].map((day) => ({
          date: `${day > '20' ? '2025-12' : '2026-01'}-${day}`,
          value: 0,
        })),
        last_updated_at: TEST_START_MS,
      });
    });
  });

  describe('of a project with every kind of sale', () => {
    let project: Awaited<ReturnType<typeof createProject>>;
    let lateRefund: string;

    // Now is 2 January 2026, 03:04:05.678; the last 28 days begin on 5 December at the same time of day.
    beforeAll(async () => {
      server.clock.setMs(TEST_START_MS);
      project = await createProject();
      const { sell, sellCoins } = project;
      // A: runs, bought in the window.
      await sell('monthly', [period('2025-12-20', '2026-01-20', usd(9.99))]);
      // B: runs, bought before the window. 79.99 / 12 a month.
      await sell('yearly', [period('2025-06-01', '2026-06-01', usd(79.99))]);
      // C: a trial that runs.
      await sell('monthly', [period('2025-12-30', '2026-01-06', usd(9.99), { kind: 'trial' })]);
      // D: given back in full after five days.
      const refund = { kind: 'full' as const, atMs: at('2025-12-15'), amountMicros: usd(9.99) };
      await sell('monthly', [period('2025-12-10', '2026-01-10', usd(9.99), { refund })]);
      // E: a week, which the catalog does not say: 4 times 1.50 a month.
      await sell('weekly', [period('2025-12-29', '2026-01-05', usd(1.5))]);
      // F: over since 1 January, in grace until the 7th. Bought before the window.
      await sell('monthly', [period('2025-12-01', '2026-01-01', usd(9.99))], {
        graceUntilMs: at('2026-01-07'),
      });
      // G and H: a family member and a grant count nowhere.
      await sell('monthly', [period('2025-12-20', '2026-01-20', usd(9.99))], { ownership: 'family_shared' });
      await sell('monthly', [period('2025-12-20', '2026-01-20', 0)], { store: 'promotional' });
      // I: one-time, kept. J: one-time, to be given back long after.
      await sellCoins(at('2025-12-24'), usd(0.99));
      lateRefund = await sellCoins(at('2025-12-06'), usd(4.99));
      // K: 4.00 of 9.99 refunded, and it continues.
      const partial = { kind: 'partial' as const, atMs: at('2025-12-20'), amountMicros: usd(4) };
      await sell('monthly', [period('2025-12-18', '2026-01-18', usd(9.99), { refund: partial })]);
      // L: 9.99 EUR at 0.851524 EUR per USD (December 2025) is 11.731907 USD.
      await sell('monthly', [period('2025-12-22', '2026-01-22', usd(9.99), { currency: 'EUR' })]);
      // M: a trial of a week, then paid.
      await sell('monthly', [
        period('2025-12-07', '2025-12-14', usd(9.99), { kind: 'trial' }),
        period('2025-12-14', '2026-01-14', usd(9.99)),
      ]);
      // N: runs at an unknown price.
      await sell('monthly', [period('2025-12-25', '2026-01-25', null)]);
      // O: at the first moment of the window. P: a millisecond before it.
      await sellCoins(TEST_START_MS - 28 * DAY_MS, usd(1));
      await sellCoins(TEST_START_MS - 28 * DAY_MS - 1, usd(100));
      // Q: sandbox.
      await sell('monthly', [period('2026-01-01', '2026-02-01', usd(9.99))], { environment: 'sandbox' });
      await rollUp();
    });

    const expectedNow = {
      // C
      active_trials: 1,
      // A, B, E, F, K, L, M, N
      active_subscriptions: 8,
      // A 9.99 + B 6.665833 + E 6.00 + F 9.99 + K 9.99 + L 11.731907 + M 9.99 + N 0 = 64.357740
      mrr: 64.36,
      // A 9.99 + D 0 + E 1.50 + I 0.99 + J 4.99 + K 5.99 + L 11.731907 + M 9.99 + N 0 + O 1.00 = 46.181907
      revenue: 46.18,
      new_customers: 0,
      active_users: 0,
      // A, D, E, I, J, K, L, M, N, O
      num_tx_last_28_days: 10,
    };

    it('matches figures computed by hand, for either environment', async () => {
      expect(await project.overview()).toEqual(expectedNow);
      expect(await project.overview('?environment=production&currency=USD')).toEqual(expectedNow);
      expect(await project.overview('?environment=sandbox')).toEqual({
        active_trials: 0,
        active_subscriptions: 1,
        mrr: 9.99,
        revenue: 9.99,
        new_customers: 0,
        active_users: 0,
        num_tx_last_28_days: 1,
      });
    });

    it('returns a history of states: at the end of each day, and now', async () => {
      const subscriptions = await project.history('metric=active_subscriptions');
      expect(subscriptions.values).toHaveLength(28);
      expect(subscriptions.values[0].date).toBe('2025-12-06');
      // B and F; D from the 10th; M from the 14th; without D from the 15th; K, A, L, N, E one after the other.
      expect(subscriptions.byDate).toMatchObject({
        '2025-12-06': 2,
        '2025-12-09': 2,
        '2025-12-10': 3,
        '2025-12-14': 4,
        '2025-12-15': 3,
        '2025-12-18': 4,
        '2025-12-20': 5,
        '2025-12-22': 6,
        '2025-12-25': 7,
        '2025-12-29': 8,
        '2026-01-01': 8,
        '2026-01-02': 8,
      });
      expect([subscriptions.value, subscriptions.previous_value]).toEqual([8, 2]);
      const trials = await project.history('metric=active_trials&days=40');
      expect(trials.values.map(({ value }: Json) => value).join('')).toBe(
        // 24 November to 6 December none, a week of M, nothing until C begins on the 30th.
        '0'.repeat(13) + '1'.repeat(7) + '0'.repeat(16) + '1'.repeat(4),
      );
      const mrr = await project.history('metric=mrr');
      expect(mrr.byDate).toMatchObject({
        // B 6.665833 + F 9.99
        '2025-12-06': 16.66,
        // and D 9.99 + M 9.99 = 36.635833
        '2025-12-14': 36.64,
        '2025-12-15': 26.65,
        '2026-01-02': 64.36,
      });
      expect([mrr.value, mrr.previous_value]).toEqual([64.36, 16.66]);
    });

    it('returns a history of revenue: by the day of the purchase, minus its refunds', async () => {
      const revenue = await project.history('metric=revenue&days=28');
      expect(Object.entries(revenue.byDate).filter(([, value]) => value !== 0)).toEqual([
        ['2025-12-06', 4.99],
        ['2025-12-14', 9.99],
        ['2025-12-18', 5.99],
        ['2025-12-20', 9.99],
        ['2025-12-22', 11.73],
        ['2025-12-24', 0.99],
        ['2025-12-29', 1.5],
      ]);
      // 46.181907 less O, which is a day older than the 28 days of the history.
      expect(revenue.value).toBe(45.18);
      // F 9.99 + O 1.00 + P 100.00
      expect(revenue.previous_value).toBe(110.99);
    });

    it('reflects an old refund at once, and the same after the rollup', async () => {
      const { projectId, appId, overview, history } = project;
      await sellOnce(server, {
        id: lateRefund,
        projectId,
        appId,
        storeProductId: 'coins',
        atMs: at('2025-12-06'),
        amountMicros: usd(4.99),
        refundAtMs: TEST_START_MS - 1000,
      });
      const expected = { ...expectedNow, revenue: 41.19 };
      expect(await overview()).toEqual(expected);
      expect((await history('metric=revenue')).byDate).toMatchObject({ '2025-12-06': 0, '2026-01-02': 0 });
      await rollUp();
      expect(await marks(projectId)).toBe(0);
      expect(await overview()).toEqual(expected);
      expect((await history('metric=revenue')).byDate).toMatchObject({ '2025-12-06': 0, '2026-01-02': 0 });
    });

    it('matches a computation as documented', async () => {
      const guide = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
      const blocks = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);
      const [revenueByDay = '', eachRow = '', rebuild = ''] = blocks.map((sql) =>
        sql.replaceAll('proj…', project.projectId),
      );
      const { byDate } = await project.history('metric=revenue&days=365');
      const computed = await server.dataSource.query<{ day: string; revenue: string | null }[]>(
        revenueByDay.replace('::date AS day', '::date::text AS day'),
      );
      expect(computed.length).toBeGreaterThan(10);
      for (const { day, revenue } of computed) expect([day, byDate[day]]).toEqual([day, Number(revenue)]);

      const rows = await server.dataSource.query<{ usd_micros: number; computed: string }[]>(eachRow);
      expect(rows.length).toBeGreaterThan(10);
      for (const row of rows) expect(Number(row.computed)).toBe(row.usd_micros);

      const before = await project.overview();
      await server.dataSource.query(rebuild);
      expect(await project.overview()).toEqual(before);
      await rollUp();
      expect(await marks(project.projectId)).toBe(0);
      expect(await project.overview()).toEqual(before);
    });

    it('reflects the passing of time without anything being recorded', async () => {
      // E ends on 5 January, C on the 6th; O is out of the window a moment later than now.
      server.clock.advanceMs(1);
      expect(await project.overview()).toMatchObject({ revenue: 40.19, num_tx_last_28_days: 9 });
      server.clock.setMs(at('2026-01-05'));
      expect(await project.overview()).toMatchObject({
        active_trials: 1,
        active_subscriptions: 7,
        mrr: 58.36,
      });
      server.clock.setMs(at('2026-01-06') - 1);
      expect(await project.overview()).toMatchObject({ active_trials: 1, active_subscriptions: 7 });
      server.clock.setMs(at('2026-01-06'));
      expect(await project.overview()).toMatchObject({ active_trials: 0, active_subscriptions: 7 });
      // All but B have ended.
      server.clock.setMs(at('2026-03-01'));
      expect(await project.overview()).toMatchObject({ active_subscriptions: 1, mrr: 6.67, revenue: 0 });
      expect((await project.history('metric=mrr&days=365')).byDate).toMatchObject({
        '2025-05-31': 0,
        '2025-06-01': 6.67,
        '2025-12-14': 36.64,
      });
    });

    it('uses the length that the catalog gives a product', async () => {
      const { client, path, monthlyId, overview } = project;
      const change = (duration: string) =>
        client.post(`${path}/products/${monthlyId}`, { subscription: { duration } });
      expect((await change('P3M')).status).toBe(200);
      // A, F, K and M 3.33 each, L 3.910636, B 6.665833, E 6.00 = 29.896469
      expect(await overview()).toMatchObject({ mrr: 29.9 });
      await change('P1M');
      expect(await overview()).toMatchObject({ mrr: 64.36 });
    });
  });

  describe('of late renewals', () => {
    it('counts no gap of an hour at most, before and after the rollup', async () => {
      const { sell, overview, history } = await createProject();
      const MINUTE_MS = 60_000;
      const midnightMs = at('2025-12-31T00:00:00Z');
      const renewedLate = (minutes: number, kind: SoldPeriod['kind']) =>
        sell('monthly', [
          { startMs: at('2025-12-24'), endMs: midnightMs - 30 * MINUTE_MS, amountMicros: 0, kind },
          {
            startMs: midnightMs + (minutes - 30) * MINUTE_MS,
            endMs: at('2026-01-31'),
            amountMicros: usd(9.99),
          },
        ]);
      await renewedLate(60, 'trial');
      await renewedLate(60, 'normal');
      await renewedLate(61, 'trial');
      await renewedLate(61, 'normal');
      for (const step of ['before', 'after']) {
        if (step === 'after') await rollUp();
        const trials = (await history('metric=active_trials')).byDate;
        const subscriptions = (await history('metric=active_subscriptions')).byDate;
        const days = ['2025-12-29', '2025-12-30', '2025-12-31'];
        expect(days.map((day) => [trials[day], subscriptions[day]])).toEqual([
          [2, 2],
          [1, 1],
          [0, 4],
        ]);
        expect(await overview()).toMatchObject({ active_trials: 0, active_subscriptions: 4, mrr: 39.96 });
      }
    });
  });

  describe('of plans', () => {
    it.each([
      ['play_store', { package_name: 'com.example.app' }, 'pro:yearly', 'pro', 'yearly'],
      ['play_store', { package_name: 'com.example.app' }, 'pro', 'pro', 'yearly'],
      ['stripe', {}, 'price_yearly', 'prod_pro', 'price_yearly'],
    ] as const)('follows for %s with %j the length of %s', async (type, settings, known, product, planId) => {
      const { projectId, path, client, overview } = await createProject();
      const app = await client.post(`${path}/apps`, { name: 'App', type, [type]: settings });
      const made = await client.post(`${path}/products`, {
        store_identifier: known,
        app_id: app.body.id,
        type: 'subscription',
        display_name: 'Pro',
        subscription: { duration: 'P1Y' },
      });
      expect(made.status).toBe(201);
      // A test purchase: its year is over soon.
      const periods = [period('2026-01-01', '2026-01-31', 12_000_000)];
      const subscription = {
        projectId,
        appId: app.body.id as string,
        storeProductId: product,
        planId,
        periods,
      };
      await sellSubscription(server, { ...subscription, store: type });
      expect(await overview()).toMatchObject({ active_subscriptions: 1, mrr: 1 });
      await rollUp();
      expect(await overview()).toMatchObject({ active_subscriptions: 1, mrr: 1 });
    });
  });

  describe('bought through the SDK', () => {
    it('counts in the sandbox from the start', async () => {
      const store = await createTestStore(server);
      const buy = (appUserId: string, productId: string, more: object = {}) =>
        store.sdk.post('/v1/receipts', {
          app_user_id: appUserId,
          fetch_token: `test_${server.clock.nowMs()}_${appUserId}-${productId}`,
          product_id: productId,
          ...more,
        });
      await buy('ann', 'pro_monthly');
      await buy('bob', 'pro_yearly');
      await buy('bob', 'coins_100');
      const { body } = await store.backend.get(`${store.path}/metrics/overview?environment=sandbox`);
      // 9.99 + 79.99 / 12 = 16.655833; 9.99 + 79.99 + 0.99
      expect(body.metrics.map(({ value }: Json) => value)).toEqual([0, 2, 16.66, 90.97, 2, 2, 3]);
      const production = await store.backend.get(`${store.path}/metrics/overview`);
      expect(production.body.metrics.map(({ value }: Json) => value)).toEqual([0, 0, 0, 0, 2, 2, 0]);
    });
  });

  it('includes a purchase in every answer of a page, whichever of them rolls it up', async () => {
    const store = await createTestStore(server);
    const bought = await store.backend.post(`${store.path}/test_purchases`, {
      app_user_id: 'buyer',
      product_id: 'pro_monthly',
    });
    expect(bought.status).toBe(201);
    const held = server.dataSource.createQueryRunner();
    await held.startTransaction();
    await held.query('LOCK TABLE chart_facts IN SHARE MODE');
    const overview = store.backend.get(`${store.path}/metrics/overview?environment=sandbox`);
    await untilBlocked(server, 1);
    const history = store.backend.get(
      `${store.path}/metrics/history?metric=active_subscriptions&environment=sandbox`,
    );
    // Time in which it could answer without the purchase.
    for (let call = 0; call < 3; call++) await store.backend.get(`${store.path}/customers/buyer`);
    await held.commitTransaction();
    await held.release();
    expect((await overview).body.metrics[1]).toMatchObject({ id: 'active_subscriptions', value: 1 });
    expect((await history).body.value).toBe(1);
  });

  describe('of customers', () => {
    const path = '/v1/subscribers';

    it('counts those first seen, and each seen customer once, on any day', async () => {
      const store = await createTestStore(server);
      const { sdk, backend } = store;
      const see = async (name: string) => {
        await sdk.get(`${path}/${name}`);
        await server.app.get(LastSeenRecorder).flush();
      };
      const history = async (metric: string, days = 7) =>
        (await backend.get(`${store.path}/metrics/history?metric=${metric}&days=${days}`)).body;
      const values = async (metric: string) => (await history(metric)).values.map(({ value }: Json) => value);

      server.clock.setMs(at('2025-12-20'));
      await see('old');
      server.clock.setMs(at('2025-12-28'));
      await see('ann');
      await see('old');
      server.clock.setMs(at('2025-12-30T23:59:00Z'));
      await see('ann');
      await see('bob');
      // A minute later, but another day.
      server.clock.setMs(at('2025-12-31T00:00:30Z'));
      await see('ann');
      server.clock.setMs(TEST_START_MS);

      expect(await values('new_customers')).toEqual([0, 1, 0, 1, 0, 0, 0]);
      expect(await values('active_users')).toEqual([0, 2, 0, 2, 1, 0, 0]);
      expect(await history('new_customers')).toMatchObject({ value: 2, previous_value: 1 });
      expect(await history('active_users')).toMatchObject({ value: 3, previous_value: 1 });
      const overview = await backend.get(`${store.path}/metrics/overview?environment=sandbox`);
      expect(overview.body.metrics.slice(4, 6).map(({ value }: Json) => value)).toEqual([3, 3]);
    });

    it('counts them by day, also after merges and deletions, before and after the rollup', async () => {
      const store = await createTestStore(server);
      const see = async (name: string, at: number) => {
        server.clock.setMs(at);
        await store.sdk.get(`${path}/${name}`);
        await server.app.get(LastSeenRecorder).flush();
      };
      const anonymous = `$RCAnonymousID:${'ef'.repeat(16)}`;
      await see(anonymous, TEST_START_MS - 40 * DAY_MS);
      // The 28 days begin at this time of the day: one before it, one after it.
      await see('before', TEST_START_MS - 28 * DAY_MS - 1);
      await see('after', TEST_START_MS - 28 * DAY_MS);
      await see('known', TEST_START_MS - 5 * DAY_MS);
      await see('gone', TEST_START_MS - DAY_MS);
      server.clock.setMs(TEST_START_MS);
      const figures = async () => {
        const overview = await store.backend.get(`${store.path}/metrics/overview`);
        const history = await store.backend.get(`${store.path}/metrics/history?metric=new_customers&days=30`);
        return [
          ...overview.body.metrics.slice(4, 6).map(({ value }: Json) => value),
          history.body.values.flatMap(({ date, value }: Json) => (value > 0 ? [`${date} ${value}`] : [])),
        ];
      };
      const rolledUp = async () => {
        const before = await figures();
        await server.app.get(CustomerCountsJob).run();
        expect(await figures()).toEqual(before);
        const left = await server.dataSource.query<object[]>(
          'SELECT 1 FROM metric_customer_changes WHERE project_id = $1',
          [store.projectId],
        );
        expect(left).toEqual([]);
        return before;
      };
      // Active users are counted by whole days.
      const all = [3, 4, ['2025-12-05 2', '2025-12-28 1', '2026-01-01 1']];
      expect(await rolledUp()).toEqual(all);
      await store.sdk.post(`${path}/identify`, { app_user_id: anonymous, new_app_user_id: 'known' });
      expect(await rolledUp()).toEqual([2, 4, ['2025-12-05 2', '2026-01-01 1']]);
      expect((await store.backend.delete(`${store.path}/customers/gone`)).status).toBe(200);
      expect(await rolledUp()).toEqual([1, 3, ['2025-12-05 2']]);
      const [counted] = await server.dataSource.query<object[]>(
        `SELECT sum(first_seen)::int AS first, sum(last_seen)::int AS last FROM metric_customer_days WHERE project_id = $1`,
        [store.projectId],
      );
      expect(counted).toEqual({ first: 3, last: 3 });
    });

    it('counts a purchase as contact, and two ids of one customer as one', async () => {
      const store = await createTestStore(server);
      const anonymous = `$RCAnonymousID:${'cd'.repeat(16)}`;
      for (const appUserId of [anonymous, 'identified']) {
        await store.sdk.post('/v1/receipts', {
          app_user_id: appUserId,
          fetch_token: `test_${server.clock.nowMs()}_seen-${appUserId.length}`,
          product_id: 'coins_100',
        });
      }
      await server.app.get(LastSeenRecorder).flush();
      const today = async () =>
        (await store.backend.get(`${store.path}/metrics/history?metric=active_users&days=7`)).body.values[6];
      expect(await today()).toEqual({ date: '2026-01-02', value: 2 });
      await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: anonymous,
        new_app_user_id: 'identified',
      });
      expect(await today()).toEqual({ date: '2026-01-02', value: 1 });
    });

    it('counts customers seen at the same time as one who is being deleted', async () => {
      const store = await createTestStore(server);
      const see = async () => {
        for (const id of ['going', 'staying']) await store.sdk.get(`${path}/${id}`);
      };
      server.clock.setMs(at('2026-01-01'));
      await see();
      await server.app.get(LastSeenRecorder).flush();
      server.clock.setMs(TEST_START_MS);
      const held = server.dataSource.createQueryRunner();
      await held.startTransaction();
      // A deletion ends with its audit row: now it comes as far as that.
      await held.query('LOCK TABLE audit_logs IN SHARE MODE');
      const deletion = store.backend.delete(`${store.path}/customers/going`);
      await untilBlocked(server, 1);
      await see();
      const flushed = server.app.get(LastSeenRecorder).flush();
      await untilBlocked(server, 2);
      await held.commitTransaction();
      await held.release();
      expect((await deletion).status).toBe(200);
      await flushed;
      const answer = await store.backend.get(`${store.path}/metrics/history?metric=active_users&days=7`);
      expect(answer.body.values.slice(5)).toEqual([
        { date: '2026-01-01', value: 1 },
        { date: '2026-01-02', value: 1 },
      ]);
    });

    it('forgets them by day when no history reaches back that far', async () => {
      const store = await createTestStore(server);
      await store.sdk.get(`${path}/long-ago`);
      await server.app.get(LastSeenRecorder).flush();
      const days = () =>
        server.dataSource.query<object[]>('SELECT 1 FROM customer_days WHERE project_id = $1', [
          store.projectId,
        ]);
      server.clock.setMs(TEST_START_MS + 730 * DAY_MS);
      await server.app.get(CleanupsJob).run();
      expect(await days()).toHaveLength(1);
      // More than one statement deletes.
      await server.dataSource.query(
        `INSERT INTO customer_days (project_id, customer_id, day)
         SELECT project_id, customer_id, day - n FROM customer_days, generate_series(1, 2500) n WHERE project_id = $1`,
        [store.projectId],
      );
      server.clock.advanceMs(DAY_MS);
      await server.app.get(CleanupsJob).run();
      expect(await days()).toHaveLength(0);
    });
  });

  describe('requests', () => {
    let project: Awaited<ReturnType<typeof createProject>>;

    beforeAll(async () => {
      project = await createProject();
    });

    it.each([
      ['overview?currency=XXX', 'currency'],
      ['overview?currency=', 'currency'],
      ['overview?currency=USD&currency=USD', 'currency'],
      ['overview?environment=staging', 'environment'],
      ['history', 'metric'],
      ['history?metric=num_tx_last_28_days', 'metric'],
      ['history?metric=toString', 'metric'],
      ['history?metric=mrr&metric=revenue', 'metric'],
      ['history?metric=mrr&days=6', 'days'],
      ['history?metric=mrr&days=366', 'days'],
      ['history?metric=mrr&days=7.5', 'days'],
      ['history?metric=mrr&days=', 'days'],
      ['history?metric=mrr&days=-7', 'days'],
      ['history?metric=mrr&days=1e2', 'days'],
      ['history?metric=mrr&environment=', 'environment'],
      ['history?metric=mrr&currency=jpy', 'currency'],
    ])('refuses %s with a 400 naming %s', async (query, param) => {
      const { status, body } = await project.client.get(`${project.path}/metrics/${query}`);
      expect([status, body.type, body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('converts at the rates of the days of the purchases, as the charts do', async () => {
      const { sell, sellCoins, overview, history, client, path } = await createProject();
      // 5.00 EUR are 5.87 USD, and 5.00 EUR again at the rate of the same day.
      await sell('yearly', [period('2025-12-20', '2026-12-20', usd(60), { currency: 'EUR' })]);
      await sellCoins(at('2025-12-22'), usd(10), { currency: 'EUR' });
      expect(await overview('?currency=EUR')).toMatchObject({ active_subscriptions: 1, mrr: 5, revenue: 70 });
      const revenue = await history('metric=revenue&currency=EUR');
      expect(revenue).toMatchObject({ currency: 'EUR', value: 70 });
      expect(revenue.byDate).toMatchObject({ '2025-12-20': 60, '2025-12-22': 10 });
      const mrr = await history('metric=mrr&currency=JPY');
      const chart = await client.get(
        `${path}/charts/mrr?currency=JPY&start_date=2026-01-01&end_date=2026-01-02&resolution=0`,
      );
      expect(chart.status).toBe(200);
      expect(mrr.value).toBe(chart.body.values.at(-1).value);
      expect(Number.isInteger(mrr.value)).toBe(true);
    });

    it('accepts 7 to 365 days', async () => {
      for (const days of [7, 365]) {
        const { values, byDate } = await project.history(`metric=revenue&days=${days}`);
        expect([values.length, Object.keys(byDate).length]).toEqual([days, days]);
        expect(values.at(-1).date).toBe('2026-01-02');
      }
    });

    it('shows nothing of another project', async () => {
      const other = await createProject();
      await project.sell('monthly', [period('2025-12-20', '2026-01-20', usd(9.99))]);
      expect(await project.overview()).toMatchObject({ active_subscriptions: 1 });
      expect(await other.overview()).toMatchObject({ active_subscriptions: 0, revenue: 0 });
    });

    describe('for the overview', () => {
      const overviewOf = (projectId: string) => `/v2/projects/${projectId}/metrics/overview`;
      describeAccess(() => server, 'GET', overviewOf, 'charts_metrics:overview:read');
    });

    describe('for a history', () => {
      const historyOf = (projectId: string) => `/v2/projects/${projectId}/metrics/history?metric=mrr`;
      describeAccess(() => server, 'GET', historyOf, 'charts_metrics:overview:read');
    });
  });
});
