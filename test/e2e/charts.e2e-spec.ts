import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen/last-seen.recorder.js';
import { charts } from '../../src/insights/charts/definitions/charts.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { describeAccess } from '../support/access-checks.js';
import { arrangeStoreApp } from '../support/arrange-store-app.js';
import { createTestStore } from '../support/arrange-store.js';
import { type FakeEvent, fakePrices } from '../support/fake-stripe/fake-stripe.js';
import type { Answer, Json } from '../support/api-client.js';
import { countQueries } from '../support/query-count.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { series } from '../support/charts-figures.js';
import { ChartsFixture, moment } from '../support/charts-fixture.js';
import { type ChartsStores, startChartsStores } from '../support/charts-stores.js';
import { ChartsReports, type ChartsWorld, createChartsProject } from '../support/charts-world.js';
import type { TestServer } from '../support/test-server.js';

const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
/** Months as `Date` counts them. */
const MAY = 4;
const RANGE = { resolution: 'month', start_date: '2026-01-01', end_date: '2026-05-31' };

describe('charts of the fixture', () => {
  let stores: ChartsStores;
  let server: TestServer;
  let world: ChartsWorld;
  const april: Json[] = [];

  beforeAll(async () => {
    stores = await startChartsStores({ SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' });
    server = stores.server;
    world = await createChartsProject(stores);
    const fixture = new ChartsFixture(stores, world);
    await fixture.liveUntil(Date.parse('2026-04-18T12:00:00Z'));
    for (const measure of ['active_subscriptions', 'mrr']) {
      april.push(await chart('subscription_status', { selectors: { measure } }));
    }
    await fixture.liveUntil(NOW_MS);
  });

  beforeEach(() => server.clock.setMs(NOW_MS));

  afterAll(() => stores.close());

  const chart = async (name: string, query: Record<string, unknown> = {}): Promise<Json> => {
    const parameters = Object.entries({ ...RANGE, ...query }).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const text = new URLSearchParams(parameters).toString();
    return (await world.client.get(`${world.path}/charts/${name}?${text}`)).body;
  };

  /** Values of each measure by bucket, of one segment. */
  function columns(answer: Json, segment?: string): Record<string, number[]> {
    const index =
      segment === undefined ? -1 : answer.segments.findIndex((s: Json) => s.display_name === segment);
    return Object.fromEntries(
      answer.measures.map(({ display_name: name }: Json, measure: number) => [
        name,
        answer.values
          .filter((row: Json) => row.measure === measure && (index < 0 || row.segment === index))
          .map((row: Json) => row.value),
      ]),
    );
  }

  const rows = (answer: Json): number[][] => Object.values(columns(answer));

  async function checkAll(): Promise<void> {
    const found = [];
    for (const [name, query] of series) {
      const named = JSON.stringify(query).replaceAll('"m10"', JSON.stringify(world.products.m10));
      const answer = await chart(name, JSON.parse(named));
      const open = answer.values.flatMap((row: Json) => (row.incomplete ? [row.cohort] : []));
      const months = [...new Set<number>(open)].map((seconds) => new Date(seconds * 1000).getUTCMonth());
      // What comes after an incomplete month is incomplete, too.
      const isOpenToTheEnd = months.length === MAY - (months[0] ?? 0) + 1;
      found.push([name, query, rows(answer), isOpenToTheEnd ? months[0] : months]);
    }
    expect(found).toEqual(series.map(([name, query, values, from = MAY]) => [name, query, values, from]));
  }

  it('derives them from facts', checkAll);

  it('derives them from the sums of past days, also after a rebuild', async () => {
    await server.app.get(ChartsRollupJob).run();
    const [{ count }] = await server.dataSource.query('SELECT count(*)::int AS count FROM chart_dirty_days');
    expect(count).toBe(0);
    await checkAll();
  });

  const table = (answer: Json): Record<string, number[]> => {
    const names: (number | string)[] = [
      ...new Set<number | string>(answer.values.map((row: Json) => row.cohort)),
    ];
    return Object.fromEntries(
      names.map((cohort) => [
        typeof cohort === 'number' ? new Date(cohort * 1000).toISOString().slice(5, 7) : cohort,
        answer.values.filter((row: Json) => row.cohort === cohort).map((row: Json) => row.value),
      ]),
    );
  };

  /** The first incomplete column of each row. */
  const openFrom = (answer: Json): Record<string, string> => {
    const open = answer.values.filter((row: Json) => row.incomplete).toReversed();
    return Object.fromEntries(
      open.map(({ cohort, period }: Json) => [
        typeof cohort === 'number' ? new Date(cohort * 1000).toISOString().slice(5, 7) : cohort,
        answer.periods[period].display_name,
      ]),
    );
  };

  it('shows retention by month of the first payment', async () => {
    const answer = await chart('subscription_retention');
    expect(openFrom(answer)).toEqual({ '01': 'Month 4', '05': 'Subscriptions', Total: 'Subscriptions' });
    const yearly = [{ name: 'product_duration', values: ['P1Y'] }];
    expect(table(await chart('subscription_retention', { filters: yearly }))).toMatchObject({
      '02': [1],
      '03': [1],
      Total: [2],
    });
    const weekly = [{ name: 'product_duration', values: ['P1W'] }];
    const weeks = await chart('subscription_retention', { filters: weekly, segment: 'store' });
    expect(weeks.periods.slice(0, 3).map((period: Json) => period.display_name)).toEqual([
      'Subscriptions',
      'Week 1',
      'Week 1 rate',
    ]);
    // The run of February was paid three times, the one of April once.
    expect(table(weeks).play_store?.slice(0, 7)).toEqual([2, 1, 50, 1, 50, 0, 0]);
    expect(table(answer)).toMatchObject({
      '01': [2, 2, 100, 1, 50, 1, 50, 1, 100],
      '02': [1, 0, 0, 0, 0],
      '03': [0],
      Total: [3, 2, 66.67, 1, 33.33, 1, 50, 1, 100],
    });
    expect(answer.periods.map((period: Json) => period.display_name)).toEqual([
      'Subscriptions',
      ...[1, 2, 3, 4].flatMap((k) => [`Month ${k}`, `Month ${k} rate`]),
    ]);
  });

  it.each([
    [
      'revenue',
      { '01': [4, 20, 20, 10, 10, 10], '02': [2, 19, 183, 0, 0], '03': [3, 14, -5, 0], '04': [4, 0, 0] },
    ],
    ['realized_ltv', { '01': [4, 20, 40, 50, 60, 70], '02': [2, 19, 202, 202, 202] }],
    ['retained_subscriptions', { '01': [4, 2, 2, 1, 1, 1], '02': [2, 1, 2, 1, 0], '03': [3, 1, 0, 0] }],
  ])('cohorts of new customers by %s', async (measure, expected) => {
    const answer = await chart('cohort_explorer', { selectors: { cohort_measure: measure } });
    expect(table(answer)).toMatchObject(expected);
    expect(openFrom(answer)).toEqual({
      '01': 'Month 3',
      '02': 'Month 2',
      '03': 'Month 1',
      '04': 'Month 0',
      '05': 'New Customers',
      Total: 'New Customers',
    });
  });

  it('shows active subscriptions by store', async () => {
    const answer = await chart('actives', { segment: 'store' });
    expect(columns(answer, 'app_store').Actives).toEqual([2, 3, 3, 2, 2]);
    expect(columns(answer, 'play_store').Actives).toEqual([0, 0, 0, 0, 0]);
  });

  it('answers in the form that clients read', async () => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-31', resolution: '2' };
    const answer = await chart('mrr_movement', march);
    expect(answer).toMatchObject({
      category: 'revenue',
      display_type: 'stacked_bar',
      display_name: 'MRR Movement',
      documentation_link: null,
      last_computed_at: NOW_MS,
      start_date: 1_772_323_200,
      end_date: 1_774_915_200,
      averaged_over: { buckets: 1, first: 1_772_323_200, last: 1_772_323_200 },
      yaxis_currency: 'USD',
      filtering_allowed: true,
      segmenting_allowed: false,
      resolution: 'month',
      yaxis: '$',
      segments: null,
      segments_limit: null,
      unsupported_params: null,
      user_selectors: { revenue_type: 'revenue' },
      summary: { total: { 'New MRR': 4, 'Resubscription MRR': 0, 'Expansion MRR': 5 } },
    });
    expect(answer.values).toEqual(
      [4, 0, 5, 10, 0, -1, 0].map((value, measure) => ({
        cohort: 1_772_323_200,
        measure,
        value,
        incomplete: false,
      })),
    );
    expect(answer).not.toHaveProperty('annotations');
    expect(await chart('actives', { include_annotations: true })).toMatchObject({ annotations: [] });
    expect((await chart('actives')).user_selectors).toBeNull();
  });

  it('shows active customers by day and month', async () => {
    const other = await createChartsProject(stores);
    const reports = new ChartsReports(stores, other);
    for (const [day, id] of [
      ['03-01', 'c1'],
      ['03-02', 'c1'],
      ['03-02', 'c1'],
      ['03-02', 'c2'],
    ] as const) {
      server.clock.setMs(moment(day));
      await reports.see(id, 'USA');
    }
    server.clock.setMs(NOW_MS);
    const active = async (query: string): Promise<Json> =>
      (await other.client.get(`${other.path}/charts/customers_active?${query}`)).body;
    const days = await active('start_date=2026-03-01&end_date=2026-03-03');
    expect(days.values.map(({ value }: Json) => value)).toEqual([1, 2, 0]);
    const month = await active('start_date=2026-03-01&end_date=2026-03-31&resolution=month');
    expect(month.values.map(({ value }: Json) => value)).toEqual([2]);
    expect(month.summary).toEqual({ average: { 'Active Customers': 2 } });
  });

  describe('the first country, platform and app version', () => {
    const DAY_MS = 86_400_000;
    const device = (version: string, country = 'USA', platform = 'iOS') => ({
      'x-platform': platform,
      'x-client-version': version,
      'x-storefront': country,
    });
    const flush = () => server.app.get(LastSeenRecorder).flush();
    const arrangeFirstSeen = async () => {
      const store = await createTestStore(server);
      const at = (id: string): string => `/v1/subscribers/${encodeURIComponent(id)}`;
      return {
        store,
        read: (id: string, headers: object, client = store.sdk) => client.get(at(id), { ...headers }),
        buy: async (id: string, headers: object, client = store.sdk) => {
          const body = { app_user_id: id, fetch_token: `test_${server.clock.nowMs()}_${id}` };
          const answer = await client.post(
            '/v1/receipts',
            { ...body, product_id: 'pro_monthly' },
            { ...headers },
          );
          expect(answer.status).toBe(200);
        },
        identify: (from: string, to: string, headers: object) =>
          store.sdk.post(
            '/v1/subscribers/identify',
            { app_user_id: from, new_app_user_id: to },
            { ...headers },
          ),
        segments: async (segment: string): Promise<Record<string, number>> => {
          const query = `customers_new?resolution=year&segment=${segment}`;
          const { body } = await store.backend.get(`${store.path}/charts/${query}`);
          return Object.fromEntries(
            Object.entries<Json>(body.summary.total).map(([name, part]) => [name, part['New Customers']]),
          );
        },
      };
    };

    afterEach(() => server.clock.setMs(NOW_MS));

    it('keeps those of the request that created the customer, whatever contact comes second', async () => {
      const { read, buy, segments } = await arrangeFirstSeen();
      for (const id of ['buys', 'reads-and-buys', 'reads']) await read(id, device('1.0'));
      await buy('starts-by-buying', device('1.0'));
      await flush();
      server.clock.advanceMs(3 * DAY_MS);
      const later = device('2.0', 'DEU', 'android');
      await buy('buys', later);
      await read('reads-and-buys', later);
      server.clock.advanceMs(500);
      await buy('reads-and-buys', later);
      await read('reads', later);
      await buy('starts-by-buying', later);
      await flush();
      expect(await segments('app_version')).toEqual({ Total: 4, '1.0': 4 });
      expect(await segments('platform')).toEqual({ Total: 4, iOS: 4 });
      expect(await segments('country')).toEqual({ Total: 4, US: 4 });
    });

    it('uses those of the first SDK that sends them if the customer was created without one', async () => {
      const { store, read, buy, segments } = await arrangeFirstSeen();
      expect((await store.backend.post(`${store.path}/customers`, { id: 'by-rest' })).status).toBe(201);
      await buy('by-key', device('0.1', 'FRA', 'test'), store.backend);
      await flush();
      // A backend may name a device, which is not the customer's first contact all the same.
      await read('by-backend', device('0.2', 'FRA', 'test'), store.backend);
      await flush();
      expect(await segments('app_version')).toEqual({ Total: 3, Unknown: 3 });
      server.clock.advanceMs(3 * DAY_MS);
      // Two versions wait to be written together: the first one counts.
      await read('by-rest', { 'x-platform': 'iOS', 'x-client-version': '1.0' });
      await buy('by-rest', device('2.0', 'DEU'));
      await buy('by-key', device('1.0'));
      await flush();
      server.clock.advanceMs(3 * DAY_MS);
      await read('by-key', device('3.0', 'GBR'));
      await read('by-backend', device('0.3', 'FRA', 'test'), store.backend);
      await read('by-backend', device('1.0'));
      await flush();
      expect(await segments('app_version')).toEqual({ Total: 3, '1.0': 3 });
      expect(await segments('country')).toEqual({ Total: 3, DE: 1, US: 2 });
    });

    it('uses, after a merge, those of the customer whose first purchase or contact was earlier', async () => {
      const { store, read, identify, segments } = await arrangeFirstSeen();
      const app = { name: 'iOS', type: 'app_store', app_store: { bundle_id: 'com.example.app' } };
      const { body: ios } = await store.backend.post(`${store.path}/apps`, app);
      const anonymous = `$RCAnonymousID:${'ef'.repeat(16)}`;
      await read('seen-first', device('1.0'));
      server.clock.advanceMs(DAY_MS);
      await read(anonymous, { 'x-client-version': '2.0', 'x-platform': 'android' });
      await flush();
      const bought = {
        app_id: ios.id,
        store: 'app_store',
        product_identifier: 'coins',
        purchased_at: NOW_MS - 30 * DAY_MS,
        store_purchase_identifier: '7001',
        status: 'owned',
      };
      const customers = [{ id: anonymous, purchases: [bought] }];
      const imported = await store.backend.post(`${store.path}/import/customers`, { customers });
      expect([imported.status, imported.body.customers?.[0]?.purchases]).toEqual([200, 1]);
      expect((await identify(anonymous, 'seen-first', device('3.0'))).status).toBe(200);
      await flush();
      expect(await segments('app_version')).toEqual({ Total: 1, '2.0': 1 });
      expect(await segments('platform')).toEqual({ Total: 1, android: 1 });
      expect(await segments('country')).toEqual({ Total: 1, US: 1 });
    });
  });

  it('sales of Stripe and the Test Store, the latter only in the sandbox', async () => {
    const { stripe } = stores;
    const sold = await arrangeStoreApp(server, {
      type: 'stripe',
      platform: 'stripe',
      fields: { stripe_secret_key: stripe.secretKey, stripe_webhook_secret: stripe.webhookSecret },
      products: { [fakePrices.monthly.product]: 'subscription' },
      unlocking: [],
    });
    const notify = async ({ body }: FakeEvent): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.signature(body) };
      const place = `/v1/notifications/stripe/${sold.appId}`;
      expect((await server.http.send('POST', place, body, headers)).status).toBe(200);
      await sold.process();
    };
    server.clock.setMs(moment('03-01'));
    const life = stripe.subscribe();
    expect((await sold.post('sara', life.id)).status).toBe(200);
    for (const day of ['03-31', '04-30']) {
      server.clock.setMs(moment(day));
      await notify(life.renew());
    }
    server.clock.setMs(moment('05-03'));
    await notify(life.refund(500));
    server.clock.setMs(NOW_MS);
    const app = { name: 'Test', type: 'test_store', test_store: { renewal_mode: 'none' } };
    const made = await sold.backend.post(`${sold.path}/apps`, app);
    const product = await sold.backend.post(`${sold.path}/products`, {
      store_identifier: 'coins',
      app_id: made.body.id,
      type: 'consumable',
      test_store_price: { amount_micros: 7_000_000, currency: 'USD' },
    });
    const bought = { app_user_id: 'sara', product_id: product.body.id };
    expect((await sold.backend.post(`${sold.path}/test_purchases`, bought)).status).toBe(201);
    const revenue = async (query: string): Promise<number[][]> => {
      const text = new URLSearchParams(RANGE).toString();
      return rows((await sold.backend.get(`${sold.path}/charts/${query}${text}`)).body);
    };
    expect(await revenue('revenue?')).toEqual([
      [0, 0, 19.98, 9.99, -5],
      [0, 0, 2, 1, 0],
    ]);
    expect(await revenue('mrr?')).toEqual([[0, 0, 9.99, 9.99, 9.99]]);
    expect(await revenue('refunds?')).toEqual([
      [0, 0, 0, 0, 5],
      [0, 0, 0, 0, 1],
    ]);
    expect(await revenue('revenue?environment=sandbox&')).toEqual([
      [0, 0, 0, 0, 7],
      [0, 0, 0, 0, 1],
    ]);
  });

  it('shows money by country, each segment by size, and the total first', async () => {
    const answer = await chart('revenue', { segment: 'country' });
    expect(answer.segments.map(({ id }: Json) => id)).toEqual(['total', 'US', 'DE', 'GB']);
    expect(['US', 'DE', 'GB'].map((name) => columns(answer, name).Revenue)).toEqual([
      [10, 20, 200, 5, 10],
      [10, 10, 0, 0, 0],
      [0, 9, 4, 3, 0],
    ]);
    expect(answer.summary.total).toMatchObject({ Total: { Revenue: 281 }, US: { Revenue: 245 } });
    const one = await chart('revenue', { segment: 'country', limit_num_segments: 1 });
    expect(one.segments.map(({ id }: Json) => id)).toEqual(['total', 'US', 'other']);
    expect(columns(one, 'Other').Revenue).toEqual([10, 19, 4, 3, 0]);
  });

  it('returns summaries, of which aggregate asks for one', async () => {
    expect((await chart('revenue')).summary).toEqual({
      total: { Revenue: 281, Transactions: 17 },
      average: { Revenue: 67.75, Transactions: 4 },
    });
    const churn = await chart('churn');
    // No subscription was active when the range began, so nothing can be a share of them.
    expect(churn.summary.total).toEqual({ Actives: 0, 'Churned Actives': 6, 'Churn Rate': null });
    expect(churn.summary.average['Churn Rate']).toBe(77.78);
    expect(churn.averaged_over).toEqual({ buckets: 4, first: 1_767_225_600, last: 1_775_001_600 });
    const { summary } = await chart('churn', { start_date: '2026-01-01', end_date: '2026-01-31' });
    expect(summary.average['Churn Rate']).toBeNull();
    const text = new URLSearchParams({ ...RANGE, aggregate: 'total', format: 'csv' }).toString();
    const csv = await fetch(`${server.baseUrl}${world.path}/charts/churn?${text}`, {
      headers: { authorization: `Bearer ${world.key}` },
    });
    expect(await csv.text()).toBe('aggregate,Actives,Churned Actives,Churn Rate\r\ntotal,0,6,\r\n');
    expect(await chart('actives', { aggregate: 'average' })).toMatchObject({
      values: [],
      summary: { average: { Actives: 2.5 } },
    });
    const rate = await chart('refund_rate', { aggregate: 'total' });
    expect(rate.summary).toEqual({
      total: { Transactions: 17, 'Refunded Transactions': 2, 'Refund Rate': 11.76 },
    });
    const revenue = await world.client.get(
      `${world.path}/metrics/revenue?start_date=2026-01-01&end_date=2026-05-31&revenue_type=proceeds`,
    );
    expect(revenue.body).toMatchObject({ object: 'revenue_metric', value: 199.25 });
  });

  it('weeks as the project begins them, and parts of months', async () => {
    const march = { resolution: 'week', start_date: '2026-03-02', end_date: '2026-03-29' };
    const labels = (answer: Json): string[] => [
      ...new Set<string>(
        answer.values.map((row: Json) => new Date(row.cohort * 1000).toISOString().slice(5, 10)),
      ),
    ];
    const weeks = await chart('revenue', march);
    expect([labels(weeks), columns(weeks).Revenue]).toEqual([
      ['03-02', '03-09', '03-16', '03-23'],
      [15, 184, 5, 0],
    ]);
    const settings = await world.client.post(world.path, { week_starts_on: 'sunday' });
    expect(settings.body.week_starts_on).toBe('sunday');
    const sundays = await chart('revenue', march);
    expect([labels(sundays), columns(sundays).Revenue]).toEqual([
      ['03-01', '03-08', '03-15', '03-22', '03-29'],
      [15, 180, 9, 0, 0],
    ]);
    await world.client.post(world.path, { week_starts_on: 'monday' });
    const cut = { start_date: '2026-02-10', end_date: '2026-03-14' };
    const parts = await chart('revenue', cut);
    expect(columns(parts).Revenue).toEqual([-94, 195]);
    expect(parts.values.every(({ incomplete }: Json) => incomplete)).toBe(true);
    const whole = await chart('revenue', { ...cut, expand_periods: true });
    // Only the front is widened.
    expect(columns(whole).Revenue).toEqual([39, 195]);
    expect(whole.values.map(({ incomplete }: Json) => incomplete)).toEqual([false, false, true, true]);
    expect([whole.start_date, whole.end_date]).toEqual([1_770_681_600, 1_773_446_400]);
    expect(whole.averaged_over).toEqual({ buckets: 1, first: 1_769_904_000, last: 1_769_904_000 });
    const stock = await chart('actives', { ...cut, expand_periods: true });
    expect(columns(stock).Actives).toEqual([3, 3]);
  });

  it('shows money in another currency, at the rate of each payment', async () => {
    const rates = jest.spyOn(server.app.get(ExchangeRatesService), 'rateOf');
    rates.mockImplementation((_, day) => (day < '2026-02-01' ? 0.9 : day < '2026-04-01' ? 0.8 : 0.5));
    const inEuro = async (name: string, query = {}) => rows(await chart(name, { currency: 'EUR', ...query }));
    expect((await inEuro('revenue'))[0]).toEqual([18, 31.2, 163.2, 2.5, 5]);
    expect(await inEuro('mrr')).toEqual([[18, 24, 23.2, 17, 17]]);
    expect((await inEuro('mrr_movement')).map((row) => row[3])).toEqual([0, 6, 0, 9.2, 0, -6.2, -3]);
    const lifetime = { selectors: { customer_lifetime: '7_days' } };
    expect((await inEuro('ltv_per_customer', lifetime))[1]).toEqual([114, 12.8, 7.2, 0, 0]);
    rates.mockRestore();
  });

  it('shows currently active subscriptions, also in a grace period', async () => {
    expect(april.map((answer) => rows(answer).flat())).toEqual([
      [3, 2, 0, 1],
      [29, 25, 0, 4],
    ]);
    const months = await chart('subscription_status', {
      segment: 'expiration_month',
      selectors: { measure: 'mrr' },
    });
    const totals = ['2026-06', '2027-03'].map((month) => columns(months, month)['Total MRR']);
    expect(totals).toEqual([[10], [15]]);
  });

  it('exports CSV whose names cannot be formulas', async () => {
    const csv = async (query: string, headers = {}) =>
      await fetch(`${server.baseUrl}${world.path}/charts/${query}`, {
        headers: { authorization: `Bearer ${world.key}`, ...headers },
      });
    const range = 'start_date=2026-01-01&end_date=2026-02-28&resolution=2';
    const answer = await csv(`revenue?${range}&format=csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="revenue_2026-01-01_2026-02-28_month.csv"',
    );
    expect(await answer.text()).toBe(
      'date,incomplete,Revenue (USD),Transactions\r\n2026-01-01,false,20,2\r\n2026-02-01,false,39,7\r\n',
    );
    const accepted = await csv(`subscription_retention?${range}`, { accept: 'text/csv' });
    expect((await accepted.text()).split('\r\n').slice(0, 2)).toEqual([
      'cohort,Subscriptions,Month 1,Month 1 rate,Month 2,Month 2 rate,Month 3,Month 3 rate,Month 4,Month 4 rate,incomplete_from',
      '2026-01-01,2,2,100,1,50,1,50,1,100,Month 4',
    ]);
  });

  it('exports CSV whose cells are neither formulas nor break lines', async () => {
    const hostile = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a"b', 'a,b', 'a\nb', "'=1", 'a=1', 'Total', ''];
    const other = await createChartsProject(stores);
    for (const [index, value] of hostile.entries()) {
      const attributes = { $campaign: { value, updated_at_ms: NOW_MS } };
      const answer = await other.ios.post(`/v1/subscribers/h${index}/attributes`, { attributes });
      expect(answer.status).toBeLessThan(300);
    }
    const query = 'customers_new?format=csv&segment=campaign&limit_num_segments=100&start_date=2026-05-10';
    const answer = await fetch(`${server.baseUrl}${other.path}/charts/${query}`, {
      headers: { authorization: `Bearer ${other.key}` },
    });
    const text = await answer.text();
    expect(text.endsWith('\r\n')).toBe(true);
    // RFC 4180: a cell in quotes holds anything, with quotes doubled.
    const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)].map(
      ([, quoted, plain = '', end]) => ({
        value: quoted?.replaceAll('""', '"') ?? plain,
        isLast: end !== ',',
      }),
    );
    const lines: string[][] = [[]];
    for (const { value, isLast } of cells) {
      lines.at(-1)?.push(value);
      if (isLast) lines.push([]);
    }
    lines.pop();
    expect(lines[0]).toEqual(['date', 'segment', 'incomplete', 'New Customers']);
    expect(lines[1]).toEqual(['2026-05-10', 'Total', 'true', String(hostile.length)]);
    const names = hostile.map((value) =>
      value === '' ? 'Unknown' : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value,
    );
    expect(
      lines
        .slice(2)
        .map(([, name, , count]) => [name, count])
        .sort(),
    ).toEqual(names.map((name) => [name, '1']).sort());
  });

  it('names products and apps by their names, which differ, under their ids', async () => {
    const segments = async (segment: string): Promise<[string, string][]> =>
      (await chart('revenue', { segment })).segments.map((one: Json) => [one.id, one.display_name]);
    const { m10, y120, y180, coins5, w3 } = world.products;
    const first = ['total', 'Total'];
    expect(await segments('app_id')).toEqual([first, [world.appId, 'App'], [world.playAppId, 'Play']]);
    await world.client.post(`${world.path}/products/${y120}`, { display_name: 'm10' });
    await world.client.post(`${world.path}/products/${coins5}`, { display_name: 'Other' });
    await world.client.post(`${world.path}/products/${w3}`, { display_name: 'A year' });
    await world.client.post(`${world.path}/products/${y180}`, { display_name: 'A year' });
    const named = await segments('product_id');
    expect(named).toEqual([
      first,
      [y180, 'A year (App)'],
      [m10, 'm10 (m10)'],
      [w3, 'A year (Play)'],
      [coins5, 'Other (Play)'],
      [y120, 'm10 (y120)'],
    ]);
    const answer = await chart('revenue', { segment: 'product_id' });
    expect(answer.summary.total['A year (App)']).toEqual({ Revenue: 180, Transactions: 1 });
    const { body } = await world.client.get(`${world.path}/charts/revenue/options`);
    const { options } = body.filters.find(({ id }: Json) => id === 'product_id');
    expect(options).toContainEqual({ id: y120, display_name: 'm10 (y120)' });
    const retention = await chart('subscription_retention', { segment: 'product_id' });
    expect(Object.keys(table(retention))).toEqual(['m10 (m10)', 'Total']);
    const parameters = new URLSearchParams({ ...RANGE, segment: 'product_id', format: 'csv' }).toString();
    const csv = await fetch(`${server.baseUrl}${world.path}/charts/revenue?${parameters}`, {
      headers: { authorization: `Bearer ${world.key}` },
    });
    const lines = (await csv.text()).split('\r\n');
    expect(lines.filter((line) => line.includes('2026-03-01'))).toEqual([
      '2026-03-01,Total,false,204,5',
      '2026-03-01,A year (App),false,180,1',
      '2026-03-01,m10 (m10),false,14,2',
      '2026-03-01,A year (Play),false,0,0',
      '2026-03-01,Other (Play),false,10,2',
      '2026-03-01,m10 (y120),false,0,0',
    ]);
    for (const [name, id] of Object.entries(world.products))
      await world.client.post(`${world.path}/products/${id}`, { display_name: name });
  });

  it('splits by attributes that the project chooses, by their latest values', async () => {
    const other = await createChartsProject(stores);
    const set = async (id: string, name: string, value: string): Promise<string[]> => {
      const attributes = { [name]: { value, updated_at_ms: server.clock.nowMs() } };
      const path = `/v1/subscribers/${encodeURIComponent(id)}/attributes`;
      return [...(await countQueries(server)(() => other.ios.post(path, { attributes })))];
    };
    const anonymous = `$RCAnonymousID:${'cd'.repeat(16)}`;
    for (const [id, value] of [
      ['ann', 'red'],
      ['bob', 'blue'],
      [anonymous, 'blue'],
      ['eve', ''],
    ] as const) {
      await set(id, 'team', value);
    }
    const id = 'custom_attribute:team';
    const query = async (path: string): Promise<Answer> => other.client.get(`${other.path}/charts/${path}`);
    const unknown = await query(`customers_new?segment=${id}`);
    expect([unknown.status, unknown.body.param]).toEqual([400, 'segment']);
    const before = await set('eve', 'unused', 'a');
    expect((await other.client.post(other.path, { chart_attributes: ['team'] })).status).toBe(200);
    // Neither what is chosen nor what is not needs a statement more.
    expect(await set('eve', 'unused', 'b')).toEqual(before);
    expect(await set('eve', 'team', 'green')).toEqual(before);
    await server.app.get(ChartsRollupJob).run();
    const sizes = async (chartName = 'customers_new'): Promise<Record<string, number>> => {
      const { body } = await query(`${chartName}?segment=${id}&start_date=2026-05-10`);
      const named = body.segments.map(({ display_name: name }: Json, index: number) => [
        name,
        body.values.find(({ segment, measure }: Json) => segment === index && measure === 0).value,
      ]);
      return Object.fromEntries(named);
    };
    expect(await sizes()).toEqual({ Total: 4, blue: 2, green: 1, red: 1 });
    const filters = (value: string): string =>
      encodeURIComponent(JSON.stringify([{ name: id, values: [value] }]));
    const filtered = await query(`ltv_per_customer?filters=${filters('blue')}&aggregate=total`);
    expect(filtered.body.summary.total['New Customers']).toBe(2);
    const { body: options } = await query('actives/options');
    expect(options.segments.at(-1)).toEqual({
      object: 'chart_segment_option',
      id,
      display_name: 'team',
      group_display_name: 'Custom attributes',
    });
    expect(options.filters.at(-1).options).toEqual([
      { id: 'blue', display_name: 'blue' },
      { id: 'green', display_name: 'green' },
      { id: 'red', display_name: 'red' },
    ]);
    server.clock.advanceMs(1000);
    await set('ann', 'team', 'blue');
    expect(await sizes()).toEqual({ Total: 4, blue: 3, green: 1 });
    await other.ios.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: 'eve' });
    const deleted = await other.client.delete(`${other.path}/customers/bob`);
    expect(deleted.status).toBe(200);
    // Of two who became one, the later value counts.
    expect(await sizes()).toEqual({ Total: 2, blue: 1, green: 1 });
    for (const { id: name, segments, filters: allowed } of charts) {
      const split = segments.length === 0 ? '' : `&segment=${id}`;
      const answer = await query(`${name}?filters=${filters('blue')}${split}`);
      expect([name, answer.status]).toEqual([name, allowed.length === 0 ? 400 : 200]);
    }
    server.clock.setMs(NOW_MS);
  });

  it('lists every chart with the figure and the values of the chart itself', async () => {
    const query = new URLSearchParams({ ...RANGE, currency: 'EUR' }).toString();
    const { status, body } = await world.client.get(`${world.path}/charts?${query}`);
    expect([status, body.object, body.next_page]).toEqual([200, 'list', null]);
    expect(body.items.map(({ id }: Json) => id)).toEqual(charts.map(({ id }) => id));
    const previewOf = (id: string): Json => body.items.find((item: Json) => item.id === id);

    const revenue = await chart('revenue', { currency: 'EUR' });
    expect(previewOf('revenue')).toMatchObject({
      measure: 'Revenue',
      unit: '$',
      currency: 'EUR',
      value_of: 'total',
      value: revenue.summary.total.Revenue,
      start_date: '2026-01-01',
      end_date: '2026-05-31',
    });
    expect(previewOf('revenue').values.map(({ value }: Json) => value)).toEqual(columns(revenue)['Revenue']);
    expect(previewOf('revenue').values.at(-1)).toMatchObject({ date: '2026-05-01', incomplete: true });

    const mrr = await chart('mrr', { currency: 'EUR' });
    expect(previewOf('mrr')).toMatchObject({ value_of: 'latest', value: columns(mrr)['MRR']?.at(-1) });
    const movement = await chart('mrr_movement', { currency: 'EUR' });
    expect(previewOf('mrr_movement')).toMatchObject({
      measure: 'Movement',
      value: movement.summary.total.Movement,
    });
    expect(previewOf('churn').unit).toBe('%');
    // Nothing was active at the start of January, so there is no rate.
    expect(previewOf('churn').values[0].value).toBeNull();
    expect(previewOf('cohort_explorer')).toMatchObject({ measure: null, value: null, values: [] });

    const invalid = await world.client.get(`${world.path}/charts?start_date=yesterday`);
    expect([invalid.status, invalid.body.param]).toEqual([400, 'start_date']);
  });

  it('options with what the project has', async () => {
    const { body } = await world.client.get(`${world.path}/charts/revenue/options`);
    const filter = (id: string) => body.filters.find((one: Json) => one.id === id).options;
    expect(
      filter('country')
        .map(({ id }: Json) => id)
        .sort(),
    ).toEqual(['DE', 'GB', 'US']);
    expect(filter('product_id')).toContainEqual({ id: world.products.m10, display_name: 'm10' });
    expect(body.user_selectors.revenue_type.default).toBe('revenue');
    expect(body.resolutions[2]).toEqual({ id: '2', display_name: 'month' });
    for (const { id } of charts) {
      expect((await world.client.get(`${world.path}/charts/${id}/options`)).status).toBe(200);
      const { segments = [] } = charts.find((one) => one.id === id) ?? {};
      // A dimension of purchases, one that no stored level has, and one of customers.
      for (const segment of ['store', 'campaign', 'country'].filter((one) => segments.includes(one))) {
        const answer = await chart(id, { segment });
        expect([segment, answer.object]).toEqual([segment, 'chart_data']);
      }
    }
  });

  it.each([
    ['revenue?start_date=1767225600', 'start_date', "'1767225600' is not a 'date'"],
    ['revenue?start_date=2026-02-30', 'start_date', "is not a 'date'"],
    ['revenue?start_date=1999-12-31', 'start_date', '2000-01-01'],
    ['revenue?start_date=2026-02-02&end_date=2026-02-01', 'end_date', 'before'],
    ['revenue?start_date=2001-01-01&end_date=2026-02-01', 'start_date', '1500'],
    ['revenue?resolution=hour', 'resolution', 'day, week, month, quarter, year'],
    ['revenue?currency=XXX', 'currency', 'USD'],
    ['revenue?filters=nonsense', 'filters', 'JSON'],
    ['revenue?filters={}', 'filters', 'array'],
    ['revenue?filters=[{"name":"shoe","values":[]}]', 'filters', 'country'],
    ['revenue?filters=[{"name":"store","values":["corner"]}]', 'filters', 'app_store'],
    ['revenue?filters=[{"name":"install_month","values":["2026-01"]}]', 'filters', 'install_month'],
    ['revenue?selectors={"x":"y"}', 'selectors', 'revenue_type'],
    ['revenue?selectors={"revenue_type":"gross"}', 'selectors', 'proceeds'],
    ['actives?selectors={"revenue_type":"proceeds"}', 'selectors', 'none'],
    ['mrr_movement?segment=country', 'segment', 'cannot'],
    ['customers_new?segment=store', 'segment', 'platform'],
    ['revenue?limit_num_segments=101', 'limit_num_segments', '100'],
    ['revenue?aggregate=median', 'aggregate', 'average'],
    ['revenue?aggregate=', 'aggregate', 'average'],
    ['mrr?aggregate=total', 'aggregate', 'average'],
    ['cohort_explorer?aggregate=total', 'aggregate', 'summary'],
    ['revenue?expand_periods=maybe', 'expand_periods', 'true'],
    ['revenue?include_annotations=1', 'include_annotations', 'true'],
    ['revenue?realtime=now', 'realtime', 'true'],
    ['revenue?environment=test', 'environment', 'sandbox'],
    ['revenue?format=xml', 'format', 'csv'],
    ['revenue?format=csv&currency=eur', 'currency', 'EUR'],
    ['revenue?limit_num_segments=0', 'limit_num_segments', '1'],
    ['revenue?resolution=5', 'resolution', '0 to 4'],
    ['revenue?resolution=0x1', 'resolution', '0 to 4'],
    ['revenue?end_date=2026-5-1', 'end_date', "'2026-5-1' is not a 'date'"],
    ['revenue?end_date=2026-05-01T00:00:00Z', 'end_date', "is not a 'date'"],
    ['revenue?filters=[{"name":"country"}]', 'filters', 'values'],
    ['revenue?filters=[{"name":"country","values":[1]}]', 'filters', 'strings'],
    [`revenue?filters=${JSON.stringify(Array(21).fill({ name: 'country', values: [] }))}`, 'filters', '20'],
    [
      `revenue?filters=[{"name":"country","values":${JSON.stringify(Array(201).fill('US'))}}]`,
      'filters',
      '200',
    ],
    ['customers_new?filters=[{"name":"store","values":["app_store"]}]', 'filters', 'platform'],
    ['revenue?selectors=[]', 'selectors', 'object'],
    ['revenue?selectors={"revenue_type":1}', 'selectors', 'proceeds'],
    ['revenue?segment=shoe', 'segment', 'country'],
    ['cohort_explorer?segment=country', 'segment', 'cannot'],
    ['revenue/options?environment=test', 'environment', 'sandbox'],
    ['subscription_retention?filters=[{"name":"product_duration","values":["month"]}]', 'filters', 'P1M'],
    [
      'subscription_retention?filters=[{"name":"product_duration","values":["P1M","P1Y"]}]',
      'filters',
      'one product_duration',
    ],
  ])('refuses %s', async (question, param, message) => {
    const { status, body } = await world.client.get(`${world.path}/charts/${encodeURI(question)}`);
    expect([status, body.type, body.param]).toEqual([400, 'parameter_error', param]);
    expect(body.message).toContain(message);
  });

  it('has no other charts, and none of another project', async () => {
    const missing = await world.client.get(`${world.path}/charts/weather`);
    expect([missing.status, missing.body.type, missing.body.param]).toEqual([
      400,
      'parameter_error',
      'chart_name',
    ]);
    expect(missing.body.message).toContain('mrr_movement');
    for (const name of ['trial_conversion', 'app_store_save_outcomes', 'ad_clicks']) {
      for (const route of [name, `${name}/options`]) {
        const later = await world.client.get(`${world.path}/charts/${route}`);
        expect([later.status, later.body.param, later.body.message]).toEqual([
          400,
          'chart_name',
          `The chart ${JSON.stringify(name)} is not available on this server.`,
        ]);
      }
    }
    const metric = await world.client.get(`${world.path}/metrics/revenue?end_date=2026-05-31`);
    expect([metric.status, metric.body.param]).toEqual([400, 'start_date']);
    const other = await createChartsProject(stores);
    expect((await other.client.get(`${world.path}/charts/revenue`)).status).toBe(404);
    const text = new URLSearchParams(RANGE).toString();
    const { body } = await other.client.get(`${other.path}/charts/revenue?${text}`);
    expect(body.values.every(({ value }: Json) => value === 0)).toBe(true);
  });

  it('checks them once a day: a difference is counted and logged, and the figures are repaired', async () => {
    await server.app.get(ChartsRollupJob).run();
    await server.dataSource.query(
      `UPDATE chart_facts SET revenue = revenue + 1000000 WHERE project_id = $1
         AND customer_id = (SELECT id FROM customers WHERE project_id = $1 AND original_app_user_id = 'c1')`,
      [world.projectId],
    );
    server.clock.advanceMs(25 * 3_600_000);
    await server.app.get(ChartsRollupJob).run();
    const counted = await server.app.get(Registry).getSingleMetricAsString('tenure_chart_differences_total');
    expect(counted).toMatch(/of="customers"\} [1-9]/);
    expect((await chart('revenue')).summary.total.Revenue).toBe(281);
    server.clock.setMs(NOW_MS);
  });

  it('counts what an anonymous customer did before it signed in as another', async () => {
    const store = await createTestStore(server);
    const anonymous = `$RCAnonymousID:${'ab'.repeat(16)}`;
    const see = (name: string) => store.sdk.get(`/v1/subscribers/${encodeURIComponent(name)}`);
    await see('known');
    await server.app.get(LastSeenRecorder).flush();
    server.clock.advanceMs(24 * 3_600_000);
    // Signs in a day later, before any process has written the day.
    await see(anonymous);
    server.clock.advanceMs(24 * 3_600_000);
    await store.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: 'known' });
    await server.app.get(LastSeenRecorder).flush();
    const { body } = await store.backend.get(
      `${store.path}/charts/customers_active?start_date=2026-05-10&end_date=2026-05-12`,
    );
    expect(body.values.map(({ value }: Json) => value)).toEqual([1, 1, 1]);
    const month = await store.backend.get(`${store.path}/charts/customers_active?resolution=month`);
    expect(month.body.values.at(-1).value).toBe(1);
    server.clock.setMs(NOW_MS);
  });

  // `access` has a description of its own for each route.
  describe.each(['charts/cohort_explorer', 'charts/revenue/options'])('%s', (route) => {
    describeAccess(
      () => server,
      'GET',
      (projectId) => `/v2/projects/${projectId}/${route}`,
      'charts_metrics:charts:read',
    );
  });

  describe('metrics/revenue', () => {
    describeAccess(
      () => server,
      'GET',
      (projectId) => `/v2/projects/${projectId}/metrics/revenue?start_date=2026-01-01&end_date=2026-01-02`,
      'charts_metrics:overview:read',
    );
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/charts/revenue`,
    'charts_metrics:charts:read',
  );
});
