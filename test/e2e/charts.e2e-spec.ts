import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { LastSeenRecorder } from '../../src/customers/customers/last-seen.recorder.js';
import { charts } from '../../src/insights/charts/definitions/charts.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { describeAccess } from '../support/access-checks.js';
import { createTestStore } from '../support/arrange-store.js';
import type { Json } from '../support/api-client.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { series } from '../support/charts-figures.js';
import { ChartsFixture } from '../support/charts-fixture.js';
import { type ChartsStores, startChartsStores } from '../support/charts-stores.js';
import { type ChartsWorld, createChartsProject } from '../support/charts-world.js';
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
    for (const [name, query, , openFrom = MAY] of series) {
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

  it('come out from facts', checkAll);

  it('come out from the sums of past days, after a rebuild too', async () => {
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

  it('retention by month of the first payment', async () => {
    const answer = await chart('subscription_retention');
    expect(table(answer)).toMatchObject({
      '01': [2, 2, 100, 1, 50, 1, 50, 1, 100],
      '02': [1, 0, 0, 0, 0],
      '03': [0],
      Total: [3, 2, 66.67, 1, 33.33, 1, 50, 1, 0],
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
  });

  it('money by country, each segment by size, and the total first', async () => {
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

  it('summaries, of which aggregate asks for one', async () => {
    expect((await chart('revenue')).summary).toEqual({
      total: { Revenue: 281, Transactions: 17 },
      average: { Revenue: 67.75, Transactions: 4 },
    });
    const churn = await chart('churn');
    expect(churn.summary.total).toEqual({ Actives: 0, 'Churned Actives': 6, 'Churn Rate': 0 });
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
    expect(columns(whole).Revenue).toEqual([39, 204]);
  });

  it('money in another currency, at the rate of each payment', async () => {
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

  it('what is active now, also in a grace period', async () => {
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

  it('as CSV, whose names cannot be formulas', async () => {
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

  it('as CSV, whose cells are neither formulas nor break lines', async () => {
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
    ['mrr?aggregate=total', 'aggregate', 'average'],
    ['cohort_explorer?aggregate=total', 'aggregate', 'summary'],
    ['revenue?expand_periods=maybe', 'expand_periods', 'true'],
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
    expect([missing.status, missing.body.type]).toEqual([404, 'resource_missing']);
    expect(missing.body.message).toContain('mrr_movement');
    const later = await world.client.get(`${world.path}/charts/trial_conversion/options`);
    expect(later.body.message).toBe('The chart "trial_conversion" is not available on this server.');
    const other = await createChartsProject(stores);
    expect((await other.client.get(`${world.path}/charts/revenue`)).status).toBe(404);
    const text = new URLSearchParams(RANGE).toString();
    const { body } = await other.client.get(`${other.path}/charts/revenue?${text}`);
    expect(body.values.every(({ value }: Json) => value === 0)).toBe(true);
  });

  it('are checked once a day: a difference is counted and logged, and the figures are repaired', async () => {
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

  it('count what an anonymous customer did before it signed in as another', async () => {
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

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/charts/revenue`,
    'charts_metrics:charts:read',
  );
});
