import { randomUUID } from 'node:crypto';
import { CustomerMergeRepository } from '../../src/customers/customers/identity/customer-merge.repository.js';
import { ChartPatienceService } from '../../src/insights/charts/background/chart-patience.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { Answer, Json } from '../support/api-client.js';
import { ChartsFixture } from '../support/charts-fixture.js';
import { type ChartsStores, startChartsStores } from '../support/charts-stores.js';
import { type ChartsWorld, createChartsProject } from '../support/charts-world.js';
import type { TestServer } from '../support/test-server.js';

const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const RANGE = { resolution: 'month', start_date: '2026-01-01', end_date: '2026-05-31' };
/** Months as places in a row of values. */
const [APRIL, MAY] = [3, 4];

interface Shown {
  who: string;
  paywall: string;
  day: string;
  minute?: number;
  more?: Json[];
  isSandbox?: boolean;
}

const cancel = { type: 'paywall_cancel' };
const touch = { type: 'paywall_component_interacted', component_type: 'purchase_button' };

const views: readonly Shown[] = [
  { who: 'c1', paywall: 'pwA', day: '01-05' },
  { who: 'c2', paywall: 'pwA', day: '01-10' },
  // The trial began on the 20th.
  { who: 'c3', paywall: 'pwA', day: '01-22' },
  { who: 'c4', paywall: 'pwA', day: '01-28', more: [cancel] },
  { who: 'c5', paywall: 'pwB', day: '02-03' },
  { who: 'c6', paywall: 'pwB', day: '02-14' },
  { who: 'c7', paywall: 'pwB', day: '03-02' },
  { who: 'c8', paywall: 'pwA', day: '03-15' },
  { who: 'c8', paywall: 'pwB', day: '03-15', minute: 5 },
  { who: 'c9', paywall: 'pwA', day: '04-15', more: [touch] },
  { who: 'c10', paywall: 'pwB', day: '05-04' },
  { who: 'c13', paywall: 'pwA', day: '04-10', isSandbox: true },
];

/** Values by month of each measure; unsegmented, or by paywall. */
type Figures = [
  chart: string,
  selectors: Json,
  segment: string | null,
  values: number[][],
  openFrom?: number,
];

const conversionOf = (type: string, paywall: string | null, ...values: number[][]): Figures => [
  'paywall_conversion',
  { conversion_type: type },
  paywall,
  values,
];

const ofA = [4, 0, 1, 1, 0];
const ofB = [0, 2, 2, 0, 1];
const figures: readonly Figures[] = [
  [
    'paywall_encounter',
    {},
    null,
    [
      [4, 2, 3, 4, 0],
      [4, 2, 2, 0, 0],
      [100, 100, 66.67, 0, 0],
    ],
  ],
  [
    'paywall_encounter',
    { encounter_timeframe: '1_day' },
    null,
    [
      [4, 2, 3, 4, 0],
      [2, 2, 2, 0, 0],
      [50, 100, 66.67, 0, 0],
    ],
  ],
  [
    'paywall_encounter',
    { encounter_timeframe: '14_days' },
    null,
    [
      [4, 2, 3, 4, 0],
      [4, 2, 2, 1, 0],
      [100, 100, 66.67, 25, 0],
    ],
    APRIL,
  ],
  // New customers are the same for each paywall.
  [
    'paywall_encounter',
    {},
    'pwB',
    [
      [4, 2, 3, 4, 0],
      [0, 2, 2, 0, 0],
      [0, 100, 66.67, 0, 0],
    ],
  ],
  conversionOf('initial_conversion', 'pwA', ofA, [2, 0, 1, 0, 0], [50, 0, 100, 0, 0]),
  conversionOf('paid_conversion', 'pwA', ofA, [2, 0, 1, 0, 0], [50, 0, 100, 0, 0]),
  conversionOf('trial_start', 'pwA', ofA, [1, 0, 0, 0, 0], [25, 0, 0, 0, 0]),
  conversionOf('trial_conversion', 'pwA', ofA, [1, 0, 0, 0, 0], [25, 0, 0, 0, 0]),
  conversionOf('initial_conversion', 'pwB', ofB, [0, 2, 2, 0, 1], [0, 100, 100, 0, 100]),
  conversionOf('paid_conversion', 'pwB', ofB, [0, 2, 2, 0, 0], [0, 100, 100, 0, 0]),
  conversionOf('trial_start', 'pwB', ofB, [0, 0, 0, 0, 1], [0, 0, 0, 0, 100]),
  conversionOf('trial_conversion', 'pwB', ofB, [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
  conversionOf('initial_conversion', null, [4, 2, 2, 1, 1], [2, 2, 2, 0, 1], [50, 100, 100, 0, 100]),
  ['paywall_abandonment', {}, 'pwA', [ofA, [2, 0, 0, 1, 0], [50, 0, 0, 100, 0]]],
  ['paywall_abandonment', { show: 'bounce' }, 'pwA', [ofA, [1, 0, 0, 0, 0], [25, 0, 0, 0, 0]]],
  [
    'paywall_abandonment',
    { show: 'purchase_cancellation' },
    'pwA',
    [ofA, [1, 0, 0, 1, 0], [25, 0, 0, 100, 0]],
  ],
  ['paywall_ltv', {}, 'pwA', [ofA, [2, 0, 1, 0, 0], [70, 0, 4, 0, 0], [17.5, 0, 4, 0, 0]]],
  ['paywall_ltv', {}, 'pwB', [ofB, [0, 2, 2, 0, 1], [0, 199, 9, 0, 0], [0, 99.5, 4.5, 0, 0]]],
  [
    'paywall_ltv',
    { revenue_type: 'proceeds' },
    'pwB',
    [ofB, [0, 2, 2, 0, 1], [0, 140.65, 7.05, 0, 0], [0, 70.33, 3.53, 0, 0]],
  ],
  // C8 saw both and paid once.
  [
    'paywall_ltv',
    {},
    null,
    [
      [4, 2, 2, 1, 1],
      [2, 2, 2, 0, 1],
      [70, 199, 9, 0, 0],
      [17.5, 99.5, 4.5, 0, 0],
    ],
  ],
];

describe('charts of paywalls', () => {
  let stores: ChartsStores;
  let server: TestServer;
  let world: ChartsWorld;

  beforeAll(async () => {
    stores = await startChartsStores({ SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' });
    server = stores.server;
    world = await createChartsProject(stores);
    await new ChartsFixture(stores, world).liveUntil(NOW_MS);
    await sendAll();
  });

  beforeEach(() => server.clock.setMs(NOW_MS));

  afterAll(() => stores.close());

  /** Sends each event three times, the latest first. */
  async function sendAll(): Promise<void> {
    const events = views.flatMap(({ who, paywall, day, minute = 0, more = [], isSandbox = false }) =>
      [{ type: 'paywall_impression' }, ...more].map((event, index) => ({
        isSandbox,
        event: {
          id: randomUUID(),
          app_user_id: who,
          paywall_id: paywall,
          offering_id: 'default',
          timestamp: Date.parse(`2026-${day}T09:00:00Z`) + (minute + index) * 60_000,
          ...event,
        },
      })),
    );
    for (const { event, isSandbox } of [...events, ...events, ...events].toReversed()) {
      const headers: Record<string, string> = isSandbox ? { 'x-is-sandbox': 'true' } : {};
      const { status } = await world.ios.send('POST', '/v1/events', { events: [event] }, headers);
      expect(status).toBe(200);
    }
  }

  const get = (name: string, query: Json = {}): Promise<Answer> => {
    const parameters = Object.entries({ ...RANGE, ...query }).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return world.client.get(`${world.path}/charts/${name}?${new URLSearchParams(parameters).toString()}`);
  };
  const chart = async (name: string, query: Json = {}): Promise<Json> => {
    const { status, body } = await get(name, query);
    expect([name, query, status]).toEqual([name, query, 200]);
    return body;
  };

  /** Values by month of each measure. */
  function rows({ measures, values, segments }: Json, segment: string | null = null): number[][] {
    const index = segment === null ? 0 : segments.findIndex(({ id }: Json) => id === segment);
    return measures.map((_: Json, measure: number) =>
      values
        .filter((row: Json) => row.measure === measure && (row.segment ?? 0) === index)
        .map(({ value }: Json) => value),
    );
  }

  const customerId = async (appUserId: string): Promise<string> => {
    const [row] = await server.dataSource.query(
      'SELECT customer_id AS id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2',
      [world.projectId, appUserId],
    );
    return row.id;
  };

  const openFrom = ({ values }: Json): number =>
    values.filter((row: Json) => row.measure === 0 && (row.segment ?? 0) === 0 && !row.incomplete).length;

  async function check(): Promise<void> {
    const found = [];
    for (const [name, selectors, segment] of figures) {
      const answer = await chart(name, { selectors, ...(segment === null ? {} : { segment: 'paywall' }) });
      found.push([name, selectors, segment, rows(answer, segment), openFrom(answer)]);
    }
    expect(found).toEqual(
      figures.map(([name, selectors, segment, values, from = MAY]) => [
        name,
        selectors,
        segment,
        values,
        from,
      ]),
    );
  }

  it('counts each view once, whatever the order of its events', check);

  it('answers the same after the events are gone and the sums of days are stored', async () => {
    await server.dataSource.query('DELETE FROM sdk_events WHERE project_id = $1', [world.projectId]);
    await server.app.get(ChartsRollupJob).run();
    await check();
  });

  it('answers the same in the background, from pieces of the customers', async () => {
    server.app.get(ChartPatienceService).lookMs = 5;
    const boundaries = await server.dataSource.query(
      `INSERT INTO chart_pieces (project_id, from_customer_id)
       SELECT project_id, customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id IN ('c12', 'c3', 'c6')
       RETURNING from_customer_id`,
      [world.projectId],
    );
    expect(boundaries).toHaveLength(3);
    await server.dataSource.query(
      'UPDATE chart_projects SET views = 1e9, counted_at = $2 WHERE project_id = $1',
      [world.projectId, new Date(NOW_MS)],
    );
    await check();
    const [{ count }] = await server.dataSource.query(
      `SELECT count(*)::int AS count FROM chart_questions WHERE project_id = $1 AND question ->> 'chart' ~ '^paywall_'`,
      [world.projectId],
    );
    // The same chart of two paywalls is one question.
    const asked = figures.map(([name, selectors, segment]) => JSON.stringify([name, selectors, !segment]));
    expect(count).toBe(new Set(asked).size);
    for (const table of ['chart_pieces', 'chart_questions'])
      await server.dataSource.query(`DELETE FROM ${table} WHERE project_id = $1`, [world.projectId]);
    await server.dataSource.query('UPDATE chart_projects SET views = 0 WHERE project_id = $1', [
      world.projectId,
    ]);
  });

  it('filters by paywall, by customer and by what was bought', async () => {
    const filtered = async (name: string, ...filters: [string, string][]): Promise<number[][]> =>
      rows(
        await chart(name, { filters: filters.map(([id, value]) => ({ name: id, values: [value] })) }),
      ).slice(0, 3);
    expect(await filtered('paywall_conversion', ['paywall', 'pwB'])).toEqual([
      ofB,
      [0, 2, 2, 0, 1],
      [0, 100, 100, 0, 100],
    ]);
    expect(await filtered('paywall_conversion', ['country', 'GB'])).toEqual([
      [0, 1, 1, 0, 0],
      [0, 1, 1, 0, 0],
      [0, 100, 100, 0, 0],
    ]);
    // Purchases filter the conversions, of which all money counts; the viewers stay.
    const { w3 = '', m10 = '' } = world.products;
    expect(await filtered('paywall_ltv', ['product_id', w3])).toEqual([
      [4, 2, 2, 1, 1],
      [0, 1, 0, 0, 0],
      [0, 9, 0, 0, 0],
    ]);
    expect(await filtered('paywall_ltv', ['product_id', m10], ['paywall', 'pwB'])).toEqual([
      ofB,
      [0, 1, 1, 0, 1],
      [0, 190, 4, 0, 0],
    ]);
    expect(await filtered('paywall_encounter', ['paywall', 'pwA'])).toEqual([
      [4, 2, 3, 4, 0],
      [4, 0, 1, 0, 0],
      [100, 0, 33.33, 0, 0],
    ]);
    const byCountry = await chart('paywall_abandonment', { segment: 'country' });
    expect(['US', 'DE', 'GB'].map((id) => rows(byCountry, id)[1])).toEqual([
      [2, 0, 0, 1, 0],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ]);
  });

  it('counts views in the sandbox with the purchases in the sandbox', async () => {
    const sandbox = await chart('paywall_conversion', { environment: 'sandbox', segment: 'paywall' });
    expect(sandbox.segments.map(({ id }: Json) => id)).toEqual(['total', 'pwA']);
    expect(rows(sandbox, 'pwA')).toEqual([
      [0, 0, 0, 1, 0],
      [0, 0, 0, 1, 0],
      [0, 0, 0, 100, 0],
    ]);
  });

  it('puts the smaller paywalls together, and counts a customer who saw several of them once', async () => {
    const answer = await chart('paywall_conversion', { segment: 'paywall', limit_num_segments: '1' });
    expect(answer.segments.map(({ id }: Json) => id)).toEqual(['total', 'pwA', 'other']);
    expect(rows(answer, 'other')[0]).toEqual(ofB);
    expect(rows(answer)[0]).toEqual([4, 2, 2, 1, 1]);
    expect(answer.summary.total).toMatchObject({
      Total: { 'Paywall Viewers': 10, 'Initial Conversions': 7 },
      pwA: { 'Paywall Viewers': 6 },
    });
  });

  it('describes its form, the paywalls to filter by, and unknown parameters', async () => {
    expect(await chart('paywall_ltv', { segment: 'paywall' })).toMatchObject({
      category: 'ltv',
      display_type: 'line',
      display_name: 'Paywall LTV',
      yaxis: '#',
      segmenting_allowed: true,
      user_selectors: { revenue_type: 'revenue' },
    });
    expect((await chart('paywall_encounter')).user_selectors).toEqual({ encounter_timeframe: '3_days' });
    const { body } = await world.client.get(`${world.path}/charts/paywall_conversion/options`);
    expect(body.filters[0]).toEqual({
      object: 'chart_filter_option',
      id: 'paywall',
      display_name: 'Paywall',
      group_display_name: 'Paywall',
      options: [
        { id: 'pwA', display_name: 'pwA' },
        { id: 'pwB', display_name: 'pwB' },
      ],
    });
    expect(body.segments.map(({ id }: Json) => id)).toContain('paywall');
    expect(body.user_selectors.conversion_type.default).toBe('initial_conversion');
    for (const [query, param] of [
      [{ segment: 'store' }, 'segment'],
      [{ selectors: { conversion_type: 'renewal' } }, 'selectors'],
      [{ filters: [{ name: 'renewal_cycle', values: ['1'] }] }, 'filters'],
    ] as const) {
      const refused = await get('paywall_conversion', query);
      expect([refused.status, refused.body.param]).toEqual([400, param]);
    }
    const other = await get('revenue', { segment: 'paywall' });
    expect([other.status, other.body.param]).toEqual([400, 'segment']);
    const unknown = await get('paywall_views');
    expect([unknown.status, unknown.body.param]).toEqual([400, 'chart_name']);
  });

  it('calls paywalls by their names, and deleted ones by their ids', async () => {
    const offering = await world.client.post(`${world.path}/offerings`, {
      lookup_key: 'spring',
      display_name: 'Spring',
    });
    await server.dataSource.query(
      `INSERT INTO paywalls (project_id, id, name, offering_id, draft, revision, automatically_scale_font_size,
         created_at, updated_at)
       SELECT project_id, 'pwA', 'Spring sale', id, '{}', 1, true, now(), now() FROM offerings WHERE id = $1`,
      [offering.body.id],
    );
    const answer = await chart('paywall_conversion', { segment: 'paywall' });
    expect(answer.segments.map((segment: Json) => segment.display_name)).toEqual([
      'Total',
      'Spring sale',
      'pwB',
    ]);
    const { body } = await world.client.get(`${world.path}/charts/paywall_conversion/options`);
    expect(body.filters[0].options).toEqual([
      { id: 'pwA', display_name: 'Spring sale' },
      { id: 'pwB', display_name: 'pwB' },
    ]);
    await world.client.delete(`${world.path}/offerings/${offering.body.id}`);
  });

  it('shows them in the list of charts, and zeros in a project without paywalls', async () => {
    const listed = async ({ client, path }: ChartsWorld): Promise<Json[]> => {
      const { body } = await client.get(`${path}/charts?${new URLSearchParams(RANGE).toString()}`);
      return body.items.filter(({ id }: Json) => id.startsWith('paywall_'));
    };
    expect((await listed(world)).map(({ id, measure, value }) => [id, measure, value])).toEqual([
      ['paywall_encounter', 'Encounter Rate', 61.54],
      ['paywall_conversion', 'Initial Conversion Rate', 70],
      ['paywall_abandonment', 'Abandonment Rate', 30],
      ['paywall_ltv', 'Realized LTV per Viewer', 27.8],
    ]);
    const other = await createChartsProject(stores);
    expect((await listed(other)).map(({ value }) => value)).toEqual([null, null, null, null]);
    const { body } = await other.client.get(`${other.path}/charts/paywall_ltv?segment=paywall`);
    expect(new Set(body.values.map(({ value }: Json) => value))).toEqual(new Set([0]));
    expect(body.segments).toHaveLength(1);
    expect((await other.client.get(`${world.path}/charts/paywall_ltv`)).status).toBe(404);
  });

  it('exports CSV with a row for each paywall', async () => {
    const query = new URLSearchParams({ ...RANGE, segment: 'paywall', format: 'csv' }).toString();
    const answer = await fetch(`${server.baseUrl}${world.path}/charts/paywall_ltv?${query}`, {
      headers: { authorization: `Bearer ${world.key}` },
    });
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toBe(
      'date,segment,incomplete,Paywall Viewers,Initial Conversions,Realized LTV (USD),Realized LTV per Viewer (USD)',
    );
    expect(lines.filter((line) => line.startsWith('2026-03-01'))).toEqual([
      '2026-03-01,Total,false,2,2,9,4.5',
      '2026-03-01,pwA,false,1,1,4,4',
      '2026-03-01,pwB,false,2,2,9,4.5',
    ]);
  });

  it('counts views without a paywall as unknown, and those of a later customer', async () => {
    const event = { type: 'paywall_impression', id: randomUUID(), app_user_id: 'later', timestamp: NOW_MS };
    await world.ios.send('POST', '/v1/events', { events: [event] });
    const unknown = async (): Promise<Json[]> =>
      (await chart('paywall_abandonment', { segment: 'paywall' })).segments.filter(
        ({ id }: Json) => id === '',
      );
    expect(await unknown()).toEqual([]);
    await world.ios.get('/v1/subscribers/later');
    expect(await unknown()).toMatchObject([{ display_name: 'Unknown' }]);
    await world.client.delete(`${world.path}/customers/later`);
    expect(await unknown()).toEqual([]);
  });

  it('gives merged customers the earliest view of both, and forgets erased ones', async () => {
    const [source = '', target = ''] = await Promise.all(['c4', 'c1'].map(customerId));
    await server.app
      .get(DatabaseService)
      .transaction((tx) =>
        server.app
          .get(CustomerMergeRepository, { strict: false })
          .merge(tx, world.projectId, source, target, new Date(NOW_MS)),
      );
    const january = async (name: string, selectors: Json = {}): Promise<number[]> =>
      rows(await chart(name, { segment: 'paywall', selectors }), 'pwA').map(([value = NaN]) => value);
    expect(await january('paywall_conversion')).toEqual([3, 2, 66.67]);
    expect(await january('paywall_abandonment', { show: 'bounce' })).toEqual([3, 1, 33.33]);
    expect(await january('paywall_abandonment', { show: 'purchase_cancellation' })).toEqual([3, 0, 0]);
    expect(await january('paywall_ltv')).toEqual([3, 2, 70, 23.33]);
    expect((await world.client.delete(`${world.path}/customers/c2`)).status).toBe(200);
    expect(await january('paywall_ltv')).toEqual([2, 1, 50, 25]);
  });
});
