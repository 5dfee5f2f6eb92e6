import fc from 'fast-check';
import { jest } from '@jest/globals';
import pg from 'pg';
import { Registry } from 'prom-client';
import { usdRate } from '../../libs/money/index.js';
import type { SeriesAnswer } from '../../src/insights/charts/answers/answer.model.js';
import { ChartCohortsRepository } from '../../src/insights/charts/cohorts/chart-cohorts.repository.js';
import { cohortLevels } from '../../src/insights/charts/cohorts/cohort-levels.js';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { DatabaseService, type Transaction } from '../../src/platform/database/database.service.js';
import {
  chartContents,
  type ChartHistory,
  HISTORY_NOW_MS,
  playHistory,
  type Step,
  steps,
} from '../support/charts-histories.js';
import { askSeries, Comparison, question } from '../support/charts-questions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
/** The seed is in the names of the tests. */
const seed = fc.readConfigureGlobal().seed ?? 0;

const charts = [
  'customers_new',
  'conversion_to_paying',
  'initial_conversion',
  'ltv_per_customer',
  'ltv_per_paying_customer',
] as const;

/** Values of the dimensions that have sums, by their ids in questions about conversions. */
const values = {
  app_id: ['app', ''],
  store: ['app_store', 'play_store', 'stripe'],
  product_id: ['monthly', 'yearly', 'pro:base', 'app/unknown', 'app/coins', ''],
  product_duration: ['P1M', 'P1W', 'P1Y', 'P3M', ''],
  channel: ['Subscriptions', 'Non-subscription'],
  offering_identifier: ['main', ''],
  offer_type: ['free_trial', 'introductory_offer', 'no_offer'],
  country: ['US', 'DE', 'FR', ''],
  platform: ['iOS', 'Android', ''],
  media_source: ['ads', ''],
  install_month: ['2026-03', '2026-05'],
} as const;
type Dimension = keyof typeof values;
const dimensions = Object.keys(values) as Dimension[];
const ofCustomers: readonly Dimension[] = ['country', 'platform', 'media_source', 'install_month'];
const unfiltered: Dimension = 'install_month';
/** A customer with several products or offers would be in several segments. */
const unsplit: readonly Dimension[] = ['product_id', 'offering_identifier', 'offer_type'];

const selectorOf: Partial<Record<(typeof charts)[number], [id: string, options: readonly string[]]>> = {
  conversion_to_paying: ['conversion_timeframe', ['0_days', '7_days', '30_days', 'unbounded']],
  initial_conversion: ['conversion_timeframe', ['3_days', '14_days', 'unbounded']],
  ltv_per_customer: ['customer_lifetime', ['7_days', '30_days', '3_months', 'unbounded']],
  ltv_per_paying_customer: ['customer_lifetime', ['14_days', '6_months', 'unbounded']],
};

/** A question about one dimension, with a filter of any number of values, or segments, or both. */
const askedOf = (chart: (typeof charts)[number], dimension: Dimension) => {
  const isOfCustomers = ofCustomers.includes(dimension);
  const hasFilter = dimension !== unfiltered && (chart !== 'customers_new' || isOfCustomers);
  const hasSegments =
    chart === 'customers_new' ? isOfCustomers : chart.startsWith('ltv') || !unsplit.includes(dimension);
  const [selector, options] = selectorOf[chart] ?? ['', []];
  const selected =
    options.length === 0 ? fc.constant({}) : fc.constantFrom(...options).map((id) => ({ [selector]: id }));
  const chosen = fc.subarray([...values[dimension]] as string[]);
  return fc
    .record(
      {
        resolution: fc.constantFrom('day', 'week', 'month', 'year'),
        start_date: fc.constantFrom('2025-01-01', '2026-01-15', '2026-05-01'),
        environment: fc.constantFrom('production', 'production', 'sandbox'),
        limit_num_segments: fc.constantFrom('1', '10'),
        selectors: selected,
        ...(hasFilter ? { filters: chosen.map((list) => [{ name: dimension, values: list }]) } : {}),
        ...(hasSegments ? { segment: fc.constant(dimension) } : {}),
      },
      { requiredKeys: ['resolution', 'start_date', 'environment', 'limit_num_segments', 'selectors'] },
    )
    .map((query): { chart: string; query: Record<string, unknown> } => ({ chart, query }));
};
const asked = fc
  .tuple(fc.constantFrom(...charts), fc.constantFrom(...dimensions))
  .chain(([chart, dimension]) => askedOf(chart, dimension));

const at = (day: string): number => Date.parse(`2026-${day}T10:00:00Z`);

describe(`charts of cohorts from sums by sets of values (seed ${seed})`, () => {
  let server: TestServer;
  let projects = 0;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => server.close());

  const play = (taken: readonly Step[]): Promise<ChartHistory> => {
    server.clock.setMs(HISTORY_NOW_MS);
    return playHistory(server, `sums${++projects}`, taken);
  };
  const sampled = async (): Promise<ChartHistory> => {
    const [taken = []] = fc.sample(steps, { seed, numRuns: 1 });
    const history = await play(taken);
    await history.rollUp();
    return history;
  };

  const query = <Row>(sql: string, ...parameters: unknown[]): Promise<Row[]> =>
    server.dataSource.query<Row[]>(sql, parameters);
  const sumsOf = async (projectId: string): Promise<string[]> =>
    (await chartContents(server, projectId)).chart_cohort_sums ?? [];
  const levelsOf = async (
    projectId: string,
  ): Promise<{ levels: string[]; missing: string[] } | undefined> => {
    const [row] = await query<{ levels: string[]; missing: string[] }>(
      'SELECT cohort_levels AS levels, missing_cohort_levels AS missing FROM chart_projects WHERE project_id = $1',
      projectId,
    );
    return row && { levels: row.levels.sort(), missing: row.missing.sort() };
  };
  const all = { levels: [...cohortLevels].sort(), missing: [] };

  /** Answers from the rows of customers. */
  async function fromCustomers<T>(projectId: string, read: () => Promise<T>): Promise<T> {
    const set = 'UPDATE chart_projects SET cohort_levels = $2 WHERE project_id = $1';
    const levels = (await levelsOf(projectId))?.levels;
    await query(set, projectId, []);
    const found = await read();
    await query(set, projectId, levels);
    return found;
  }

  /** Changes all sums, to tell whether they answer a question. */
  const spoil = (projectId: string): Promise<unknown> =>
    query(
      `UPDATE chart_cohort_sums SET customers = customers + 100, converts = array_fill(100, ARRAY[12]),
         pays = array_fill(100, ARRAY[12]), revenue = array_fill(100000000, ARRAY[12]) WHERE project_id = $1`,
      projectId,
    );

  describe('of customers who pay in two stores', () => {
    let history: ChartHistory;
    const month = { resolution: 'month', start_date: '2026-01-01', end_date: '2026-01-31' };
    const in30Days = { ...month, selectors: { conversion_timeframe: '30_days' } };

    beforeEach(async () => {
      history = await play([]);
      const period = { startMs: at('01-05'), endMs: at('02-05'), amountMicros: 10_000_000 };
      const sell = (customerId: string, store: 'app_store' | 'stripe', more: object = {}) =>
        history.sell({
          customerId,
          subscription: { storeProductId: 'monthly', store, periods: [{ ...period, ...more }] },
        });
      for (const id of ['x', 'y', 'z']) await history.addCustomer(id, at('01-05'));
      await sell('x', 'app_store');
      await sell('y', 'app_store');
      await sell('y', 'stripe');
      await sell('z', 'stripe', { kind: 'trial', amountMicros: 0 });
      await history.rollUp();
    });

    const measured = ({ values: found, segments }: SeriesAnswer, measure: number): Record<string, number> =>
      Object.fromEntries(
        found
          .filter((one) => one.measure === measure)
          .map(({ segment, value }) => [segments?.[segment]?.id ?? 'total', value]),
      );
    const count = async (more: object, measure = 1): Promise<[object, object]> => {
      const asked = { ...in30Days, ...more };
      const [paying, converting] = ['conversion_to_paying', 'initial_conversion'];
      return [
        measured(await askSeries(server, history.projectId, paying ?? '', asked), measure),
        measured(await askSeries(server, history.projectId, converting ?? '', asked), measure),
      ];
    };
    const inStores = (...stores: string[]) => ({ filters: [{ name: 'store', values: stores }] });

    it('stores the customers of each set of stores', async () => {
      const rows = await query(
        `SELECT values, customers, converts[5] AS converts, pays[5] AS pays, (revenue[5] / 1e6)::float8 AS revenue
         FROM chart_cohort_sums WHERE project_id = $1 AND environment = 'production' AND level = 'store' ORDER BY values`,
        history.projectId,
      );
      expect(rows).toEqual([
        { values: ['app_store'], customers: 2, converts: 1, pays: 1, revenue: 20 },
        { values: ['app_store', 'stripe'], customers: 0, converts: 1, pays: 1, revenue: 0 },
        { values: ['stripe'], customers: 2, converts: 1, pays: 0, revenue: 10 },
      ]);
    });

    it('counts each customer once in a filter, and in each of its segments', async () => {
      expect(await count(inStores('stripe'))).toEqual([{ total: 1 }, { total: 2 }]);
      expect(await count(inStores('app_store', 'stripe'))).toEqual([{ total: 2 }, { total: 3 }]);
      expect(await count(inStores('play_store'))).toEqual([{ total: 0 }, { total: 0 }]);
      expect(await count({ segment: 'store' })).toEqual([
        { app_store: 2, stripe: 1, total: 2 },
        { app_store: 2, stripe: 2, total: 3 },
      ]);
      expect(await count({ segment: 'store' }, 0)).toEqual([
        { app_store: 3, stripe: 3, total: 3 },
        { app_store: 3, stripe: 3, total: 3 },
      ]);
      const largest = { segment: 'store', limit_num_segments: '1' };
      expect((await count(largest))[1]).toEqual({ app_store: 2, other: 2, total: 3 });
      const ltv = await askSeries(server, history.projectId, 'ltv_per_customer', {
        ...month,
        segment: 'store',
      });
      expect(measured(ltv, 1)).toEqual({ app_store: 20, stripe: 10, total: 30 });
    });

    it('reads questions about one dimension from the sums, and others from the customers', async () => {
      const paying = async (more: object): Promise<object> => (await count(more))[0];
      const twoFilters = [
        { name: 'store', values: ['stripe'] },
        { name: 'country', values: ['US'] },
      ];
      const inEuro = async (currency: string): Promise<object> =>
        measured(
          await askSeries(server, history.projectId, 'ltv_per_customer', {
            ...month,
            ...inStores('stripe'),
            currency,
          }),
          1,
        );
      const questions: [string, () => Promise<object>, boolean][] = [
        ['a filter', () => paying(inStores('stripe')), true],
        [
          'a filter and a segment by the same',
          () => paying({ ...inStores('stripe'), segment: 'store' }),
          true,
        ],
        ['the country of customers', () => paying({ filters: twoFilters.slice(1) }), true],
        ['an amount in dollars', () => inEuro('USD'), true],
        ['an amount in another currency', () => inEuro('EUR'), false],
        ['two dimensions', () => paying({ filters: twoFilters }), false],
        [
          'two dimensions, one of them of segments',
          () => paying({ ...inStores('stripe'), segment: 'country' }),
          false,
        ],
        ['another dimension', () => paying({ filters: [{ name: 'placement', values: [''] }] }), false],
      ];
      const before = new Map<string, object>();
      for (const [name, read] of questions) before.set(name, await read());
      await spoil(history.projectId);
      for (const [name, read, fromSums] of questions) {
        const found = await read();
        expect([name, JSON.stringify(found) !== JSON.stringify(before.get(name))]).toEqual([name, fromSums]);
      }
      // Two dimensions of purchases and one of customers: the customers have one.
      const { projectId } = history;
      const newCustomers = { ...month, ...inStores('stripe'), segment: 'platform' };
      const answer = await askSeries(server, projectId, 'ltv_per_customer', newCustomers);
      expect(measured(answer, 0).total).toBeGreaterThan(100);
    });

    it('takes back a payment that is refunded within the window, and leaves nothing of erased customers', async () => {
      const before = await sumsOf(history.projectId);
      await history.addCustomer('guest', at('01-05'));
      const period = { startMs: at('01-05'), endMs: at('02-05'), amountMicros: 7_000_000 };
      const subscription = { storeProductId: 'weekly', store: 'play_store' as const, periods: [period] };
      const id = await history.sell({ customerId: 'guest', subscription });
      await history.rollUp();
      expect(await count(inStores('play_store'))).toEqual([{ total: 1 }, { total: 1 }]);
      const refund = { kind: 'full' as const, atMs: at('01-20'), amountMicros: 7_000_000 };
      await history.sell({
        customerId: 'guest',
        id,
        subscription: { ...subscription, periods: [{ ...period, refund }] },
      });
      await history.rollUp();
      expect(await count(inStores('play_store'))).toEqual([{ total: 0 }, { total: 0 }]);
      const soon = { ...inStores('play_store'), selectors: { conversion_timeframe: '7_days' } };
      expect(await count(soon)).toEqual([{ total: 1 }, { total: 1 }]);
      await history.erase('guest');
      await history.rollUp();
      expect(await sumsOf(history.projectId)).toEqual(before);
    });

    it('drops a level with too many sets, and reads the customers instead', async () => {
      const { projectId } = history;
      server.app.get(ChartCohortsRepository).maxSets = 2;
      server.clock.advanceMs(25 * HOUR_MS);
      await history.rollUp();
      server.app.get(ChartCohortsRepository).maxSets = 5_000;
      const levels = (await levelsOf(projectId))?.levels ?? [];
      expect(levels).not.toContain('store');
      expect(levels).toContain('channel');
      expect(
        await query(`SELECT FROM chart_cohort_sums WHERE project_id = $1 AND level = 'store'`, projectId),
      ).toEqual([]);
      await spoil(projectId);
      expect(await count(inStores('stripe'))).toEqual([{ total: 1 }, { total: 2 }]);
      expect((await levelsOf(projectId))?.missing).toEqual([]);
    });

    it('checks a cohort once a day: a difference is counted, and its level is summed again', async () => {
      const { projectId } = history;
      const before = await sumsOf(projectId);
      const differences = (): Promise<string> =>
        server.app.get(Registry).getSingleMetricAsString('tenure_chart_differences_total');
      // Other projects are not checked.
      await query(`UPDATE chart_projects SET cohort_levels = '{}' WHERE project_id <> $1`, projectId);
      const counted = Number(/of="cohort_sums"\} (\d+)/.exec(await differences())?.[1]);
      await query(
        `UPDATE chart_cohort_sums SET pays = array_fill(9, ARRAY[12]) WHERE project_id = $1 AND level = 'store'`,
        projectId,
      );
      // Only one cohort has purchases, and others would be sampled.
      await query(
        `DELETE FROM chart_cohort_counts WHERE project_id = $1 AND cohort_day <> '2026-01-05'`,
        projectId,
      );
      server.clock.advanceMs(25 * HOUR_MS);
      await history.rollUp();
      expect(await differences()).toContain(`of="cohort_sums"} ${counted + 1}\n`);
      expect(await sumsOf(projectId)).toEqual(before);
      expect(await levelsOf(projectId)).toEqual(all);
    });
  });

  it('answers what the customers and the slow reference do, for any number of values', async () => {
    const compared = question.map((one) => ({ ...one, currency: 'USD' as const }));
    const referenced = [
      'store',
      'country',
      'platform',
      'channel',
      'product_id',
      'product_duration',
      'media_source',
      'install_month',
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(asked, { minLength: 60, maxLength: 60 }),
        fc.array(compared, { minLength: 24, maxLength: 24 }),
        async (taken, list, more) => {
          const history = await play(taken);
          const { projectId } = history;
          await history.rollUp();
          expect(await levelsOf(projectId)).toEqual(all);
          for (const { chart, query } of list) {
            const found = await askSeries(server, projectId, chart, query);
            const slow = await fromCustomers(projectId, () => askSeries(server, projectId, chart, query));
            expect({ chart, query, found }).toEqual({ chart, query, found: slow });
          }
          const rateOf = (currency: string, dayMs: number): number =>
            usdRate(currency, new Date(dayMs).toISOString().slice(0, 10), new Map()) ?? 0;
          const comparison = new Comparison(server, projectId, rateOf);
          for (const [place, one] of more.entries()) {
            const dimension = referenced[place % referenced.length] ?? 'store';
            const isFiltered = one.filters.length > 0;
            const filtered = {
              ...one,
              filters: isFiltered ? [dimension] : [],
              segment: !isFiltered || one.expand ? dimension : null,
            };
            await comparison.compare(charts[place % charts.length] ?? 'customers_new', filtered);
          }
        },
      ),
      { seed, numRuns: 4, endOnFailure: true },
    );
  });

  it('fills the sums in the background after an upgrade, and reads the customers until then', async () => {
    const history = await sampled();
    const { projectId } = history;
    const asked = { start_date: '2025-06-01', resolution: 'year', segment: 'store' };
    const before = await sumsOf(projectId);
    const answer = await askSeries(server, projectId, 'conversion_to_paying', asked);
    expect(before.length).toBeGreaterThan(50);
    await query('DELETE FROM chart_cohort_sums WHERE project_id = $1', projectId);
    await query(
      `UPDATE chart_projects SET cohort_levels = '{}', missing_cohort_levels = $2 WHERE project_id = $1`,
      projectId,
      cohortLevels,
    );
    expect(await askSeries(server, projectId, 'conversion_to_paying', asked)).toEqual(answer);
    await history.rollUp();
    expect(await sumsOf(projectId)).toEqual(before);
    expect(await levelsOf(projectId)).toEqual(all);
  });

  it('fills the sums again after a server of the version before has changed a customer', async () => {
    const history = await sampled();
    const { projectId } = history;
    const older = new pg.Client({ connectionString: server.databaseUrl });
    await older.connect();
    for (const setting of ['keeps_chart_cohorts', 'writes_exact_chart_facts'])
      await older.query(`SET tenure.${setting} = 'on'`);
    await older.query('UPDATE chart_payers SET pays = 0 WHERE project_id = $1', [projectId]);
    await older.end();
    expect(await levelsOf(projectId)).toEqual({ levels: [], missing: all.levels });
    // The sums that the server did not keep are not read, although the others are.
    const [row] = await query<{ has: boolean }>(
      'SELECT has_cohorts AS has FROM chart_projects WHERE project_id = $1',
      projectId,
    );
    expect(row).toEqual({ has: true });
    await history.rollUp();
    expect(await levelsOf(projectId)).toEqual(all);
    const [{ pays } = { pays: -1 }] = await query<{ pays: number }>(
      'SELECT sum(p)::int AS pays FROM chart_cohort_sums s CROSS JOIN unnest(s.pays) p WHERE s.project_id = $1',
      projectId,
    );
    expect(pays).toBe(0);
  });

  it('leaves the same in all tables if the rollup is interrupted after any statement', async () => {
    const [taken = []] = fc.sample(steps, { seed: seed + 1, numRuns: 1 });
    const history = await play(
      taken.filter(({ do: what }) => !['rollup', 'choose', 'duration', 'wait'].includes(what)),
    );
    const database = server.app.get(DatabaseService);
    const rollup = server.app.get(ChartRollupService);
    const transaction = database.transaction.bind(database);
    let left = 0;
    jest.spyOn(database, 'transaction').mockImplementation((work, options) =>
      transaction((tx) => {
        const interrupted: Transaction = Object.create(tx, {
          query: {
            value: async (...args: Parameters<Transaction['query']>) => {
              const rows = await tx.query(...args);
              if (--left === 0) throw new Error('interrupted');
              return rows;
            },
          },
        });
        return work(interrupted);
      }, options),
    );
    let interruptions = 0;
    for (let statements = 1, hasWork = true; hasWork;) {
      left = statements;
      const before = await rollup.pass().then(
        (more) => {
          hasWork = more;
          return true;
        },
        (error: Error) => {
          expect(error.message).toBe('interrupted');
          return false;
        },
      );
      statements = before ? 1 : statements + 1;
      if (!before) interruptions++;
    }
    expect(interruptions).toBeGreaterThan(40);
    left = 0;
    const { projectId } = history;
    const found = await chartContents(server, projectId);
    await rollup.rebuild(projectId);
    await query('UPDATE chart_projects SET has_exact_facts = false WHERE project_id = $1', projectId);
    await history.rollUp();
    expect(await chartContents(server, projectId)).toEqual(found);
  });
});
