import type { Json } from '../support/api-client.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { type ChartsWorld, createChartsProject, sellFixture } from '../support/charts-world.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const RANGE = { resolution: 'month', start_date: '2026-01-01', end_date: '2026-05-31' };

describe('charts of the fixture', () => {
  let server: TestServer;
  let world: ChartsWorld;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
    server.clock.setMs(NOW_MS);
    world = await createChartsProject(server);
    await sellFixture(server, world);
  });

  afterAll(() => server.close());

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

  const series: [string, Record<string, unknown>, number[][]][] = [
    [
      'revenue',
      {},
      [
        [20, 39, 204, 8, 10],
        [2, 7, 5, 2, 1],
      ],
    ],
    [
      'revenue',
      { selectors: { revenue_type: 'proceeds' } },
      [
        [14, 28.65, 144.3, 5.3, 7],
        [2, 7, 5, 2, 1],
      ],
    ],
    [
      'revenue',
      { filters: [{ name: 'transaction_type', values: ['New'] }] },
      [
        [20, 13, 9, 0, 0],
        [2, 3, 2, 0, 0],
      ],
    ],
    ['mrr', {}, [[20, 30, 29, 25, 25]]],
    ['arr', {}, [[240, 360, 348, 300, 300]]],
    [
      'mrr_movement',
      {},
      [
        [20, 32, 4, 0, 0],
        [0, 0, 0, 12, 0],
        [0, 0, 5, 0, 0],
        [0, 22, 10, 16, 0],
        [0, 0, 0, 0, 0],
        [20, 10, -1, -4, 0],
        [0, 0, 0, 0, 0],
      ],
    ],
    ['actives', {}, [[2, 3, 3, 2, 2]]],
    [
      'actives_movement',
      {},
      [
        [2, 3, 2, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 2, 2, 2, 0],
        [2, 1, 0, -1, 0],
      ],
    ],
    [
      'actives_new',
      {},
      [
        [1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [1, 3, 1, 1, 0],
        [2, 3, 2, 1, 0],
      ],
    ],
    [
      'churn',
      {},
      [
        [0, 2, 3, 3, 2],
        [0, 2, 2, 2, 0],
        [0, 100, 66.67, 66.67, 0],
      ],
    ],
    ['trials', {}, [[0, 0, 0, 0, 1]]],
    ['trials_new', {}, [[2, 0, 0, 0, 1]]],
    [
      'trials_movement',
      {},
      [
        [2, 0, 0, 0, 1],
        [2, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
      ],
    ],
    [
      'trial_conversion_rate',
      {},
      [
        [2, 0, 0, 0, 1],
        [1, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [50, 0, 0, 0, 0],
      ],
    ],
    ['customers_new', {}, [[4, 2, 3, 4, 0]]],
    [
      'conversion_to_paying',
      {},
      [
        [4, 2, 3, 4, 0],
        [3, 2, 2, 0, 0],
        [75, 100, 66.67, 0, 0],
      ],
    ],
    [
      'conversion_to_paying',
      { selectors: { conversion_timeframe: '0_days' } },
      [
        [4, 2, 3, 4, 0],
        [1, 2, 2, 0, 0],
        [25, 100, 66.67, 0, 0],
      ],
    ],
    [
      'conversion_to_paying',
      { selectors: { conversion_timeframe: '30_days' } },
      [
        [4, 2, 3, 4, 0],
        [2, 2, 2, 0, 0],
        [50, 100, 66.67, 0, 0],
      ],
    ],
    [
      'conversion_to_paying',
      { selectors: { conversion_timeframe: 'unbounded' } },
      [
        [4, 2, 3, 4, 0],
        [2, 2, 2, 0, 0],
        [50, 100, 66.67, 0, 0],
      ],
    ],
    [
      'initial_conversion',
      {},
      [
        [4, 2, 3, 4, 0],
        [4, 2, 2, 0, 0],
        [100, 100, 66.67, 0, 0],
      ],
    ],
    [
      'initial_conversion',
      { selectors: { conversion_timeframe: '30_days' } },
      [
        [4, 2, 3, 4, 0],
        [3, 2, 2, 1, 0],
        [75, 100, 66.67, 25, 0],
      ],
    ],
    [
      'ltv_per_customer',
      { selectors: { customer_lifetime: '7_days' } },
      [
        [4, 2, 3, 4, 0],
        [140, 16, 9, 0, 0],
        [35, 8, 3, 0, 0],
      ],
    ],
    [
      'ltv_per_customer',
      {},
      [
        [4, 2, 3, 4, 0],
        [20, 199, 14, 0, 0],
        [5, 99.5, 4.67, 0, 0],
      ],
    ],
    [
      'ltv_per_paying_customer',
      { selectors: { customer_lifetime: 'unbounded' } },
      [
        [2, 2, 2, 0, 0],
        [70, 202, 9, 0, 0],
        [35, 101, 4.5, 0, 0],
      ],
    ],
    [
      'refund_rate',
      {},
      [
        [2, 7, 5, 2, 1],
        [0, 1, 1, 0, 0],
        [0, 14.29, 20, 0, 0],
      ],
    ],
    [
      'refunds',
      {},
      [
        [0, 120, 0, 5, 0],
        [0, 1, 0, 1, 0],
      ],
    ],
    ['non-subscription_purchases', {}, [[0, 0, 2, 0, 0]]],
    ['subscription_status', {}, [[2], [2], [0], [0]]],
    ['subscription_status', { selectors: { measure: 'mrr' } }, [[25], [25], [0], [0]]],
  ];

  async function checkAll(): Promise<void> {
    const found = [];
    for (const [name, query] of series) found.push([name, query, rows(await chart(name, query))]);
    expect(found).toEqual(series);
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
});
