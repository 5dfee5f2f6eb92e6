import fc from 'fast-check';
import pg from 'pg';
import { ChartPatienceService } from '../../src/insights/charts/background/chart-patience.service.js';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { usdRate } from '../../libs/money/index.js';
import {
  chartContents,
  type ChartHistory,
  chartTables,
  HISTORY_NOW_MS,
  playHistory,
  type Step,
  stepsWithViews,
} from '../support/charts-histories.js';
import { ask, askSeries, Comparison, question, referenced } from '../support/charts-questions.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import type { SoldPeriod, SoldSubscription } from '../support/sales.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

/** Days on which rates were fetched, with gaps between them. */
const fetched: readonly { day: string; rates: Record<string, number> }[] = [
  { day: '2026-01-10', rates: { EUR: 0.9, JPY: 150 } },
  { day: '2026-02-20', rates: { EUR: 0.8 } },
  { day: '2026-04-01', rates: { EUR: 0.5, JPY: 141.5 } },
];

function rateOf(currency: string, dayMs: number): number {
  const rows = fetched.flatMap(({ day, rates: { [currency]: rate } }) =>
    rate === undefined ? [] : [{ day, month: null, rate }],
  );
  const known = new Map(rows.length === 0 ? [] : [[currency, rows]]);
  return usdRate(currency, new Date(dayMs).toISOString().slice(0, 10), known) ?? 0;
}

describe('the rollup of charts', () => {
  let server: TestServer;
  let database: TestDatabase;
  let projects = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    const pool = new pg.Client({ connectionString: database.url });
    await pool.connect();
    // Everything is counted in UTC, whatever the time zone of the database.
    await pool.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Pacific/Apia'`,
    );
    await pool.end();
    server = await startTestServer({
      databaseUrl: database.url,
      env: { SERVICE_FX_PROVIDER: 'http', SERVICE_FX_URL: 'http://127.0.0.1:9/' },
    });
    for (const { day, rates } of fetched) {
      await server.dataSource.query(
        `INSERT INTO exchange_rates (day, source, rates, fetched_at) VALUES ($1, 'test', $2, now())`,
        [day, JSON.stringify(rates)],
      );
    }
    await server.app.get(ExchangeRatesService).reload();
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  async function play(taken: readonly Step[]): Promise<ChartHistory> {
    server.clock.setMs(HISTORY_NOW_MS);
    return playHistory(server, `proj${++projects}`, taken);
  }

  /** Any pieces give the same answers. */
  async function divide(projectId: string): Promise<void> {
    await server.dataSource.query(
      `INSERT INTO chart_pieces (project_id, from_customer_id)
       SELECT project_id, id FROM customers WHERE project_id = $1 AND (id > 'b' OR id < 'b' AND $2) ON CONFLICT DO NOTHING`,
      [projectId, projects % 2 === 0],
    );
  }

  /** The next questions about customers are answered in the background. */
  async function enlarge(projectId: string): Promise<void> {
    server.app.get(ChartPatienceService).lookMs = 5;
    await server.dataSource.query(
      `UPDATE chart_projects SET facts = 1e9, runs = 1e9, payers = 1e9, customers = 1e9, active_days = 1e9, views = 1e9,
         counted_at = $2 WHERE project_id = $1`,
      [projectId, new Date(server.clock.nowMs())],
    );
  }

  async function forget(projectId: string): Promise<void> {
    for (const table of [...chartTables, 'chart_dims']) {
      await server.dataSource.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
    }
    await server.dataSource.query('UPDATE chart_projects SET closed_until = NULL WHERE project_id = $1', [
      projectId,
    ]);
    await server.app.get(ChartRollupService).rebuild(projectId);
  }

  it(`answers what the slow reference does, and a rebuild changes nothing (seed ${seed})`, async () => {
    const questions = fc.array(fc.tuple(fc.constantFrom(...referenced), question), {
      minLength: 60,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(stepsWithViews, fc.noBias(questions), async (taken, asked) => {
        const history = await play(taken);
        const { projectId } = history;
        const comparison = new Comparison(server, projectId, rateOf);
        for (const [name, one] of asked.slice(0, 30)) await comparison.compare(name, one);
        await history.rollUp();
        for (const [name, one] of asked.slice(15, 45)) await comparison.compare(name, one);
        server.clock.advanceMs(20 * HOUR_MS);
        await divide(projectId);
        for (const [name, one] of asked.slice(40, 50)) await comparison.compare(name, one);
        await enlarge(projectId);
        for (const [name, one] of asked.slice(50)) await comparison.compare(name, one);
        await history.rollUp();
        const before = await chartContents(server, projectId);
        await forget(projectId);
        await history.rollUp();
        expect(await chartContents(server, projectId)).toEqual(before);
      }),
      { seed, numRuns: 4, endOnFailure: true },
    );
  });

  describe('count', () => {
    let history: ChartHistory;
    const at = (day: string): number => Date.parse(`2026-${day}T10:00:00Z`);
    const month = { resolution: 'month', start_date: '2026-01-01', end_date: '2026-05-31' };

    beforeEach(async () => {
      history = await play([]);
    });

    const sell = (subscription: Partial<SoldSubscription>, customerId = 'ann'): Promise<string> =>
      history.sell({ customerId, subscription: { storeProductId: 'monthly', periods: [], ...subscription } });
    const period = (from: string, to: string, more: Partial<SoldPeriod> = {}): SoldPeriod => ({
      startMs: at(from),
      endMs: at(to),
      amountMicros: 10_000_000,
      ...more,
    });
    const attributeFilter = (value: string, name = 'team') => ({
      filters: [{ name: `custom_attribute:${name}`, values: [value] }],
    });
    /** Values of a measure by bucket, of one segment. */
    const values = async (
      name: string,
      measure: number,
      query: Record<string, unknown> = {},
      segment = 0,
    ): Promise<number[]> => {
      const answer = await askSeries(server, history.projectId, name, { ...month, ...query });
      return answer.values
        .filter((one) => one.measure === measure && one.segment === segment)
        .map(({ value }) => value);
    };

    it('counts a Google subscription once if its first periods come from an import and the later ones from the store', async () => {
      const periods = [period('03-01', '04-01'), period('04-01', '05-01'), period('05-01', '06-01')];
      const sold = { store: 'play_store', storeProductId: 'pro', planId: 'base', periods } as const;
      await sell({ ...sold, importedPeriods: 2 });
      expect(await values('actives_movement', 0)).toEqual([0, 0, 1, 0, 0]);
      expect(await values('actives_movement', 2)).toEqual([0, 0, 0, 0, 0]);
      const filters = [{ name: 'product_id', values: ['pro:base'] }];
      expect(await values('mrr', 0, { filters })).toEqual([0, 0, 10, 10, 10]);
    });

    it('counts a trial that is paid a day early as converted, not as pending too', async () => {
      const trial = period('05-04', '05-11', { kind: 'trial', amountMicros: 0 });
      await sell({ periods: [trial, period('05-11', '06-11')] });
      const found = [];
      for (const measure of [0, 1, 2, 3]) found.push((await values('trial_conversion_rate', measure)).at(-1));
      expect(found).toEqual([1, 1, 0, 0]);
    });

    it('counts a refund whose amount is reported later once, and not after its reversal', async () => {
      const refund = { kind: 'full', atMs: at('02-10'), amountMicros: null } as const;
      const laterRefund = { atMs: at('02-12'), amountMicros: 10_000_000 };
      await sell({ periods: [period('02-01', '03-01', { refund, laterRefund })] });
      expect(await values('refund_rate', 1)).toEqual([0, 1, 0, 0, 0]);
      const reversed = period('02-01', '03-01', { refund, laterRefund, reversedAtMs: at('03-05') });
      await sell({ periods: [reversed] }, 'bob');
      expect(await values('refund_rate', 0)).toEqual([0, 2, 0, 0, 0]);
      expect(await values('refund_rate', 1)).toEqual([0, 1, 0, 0, 0]);
      expect(await values('refunds', 1)).toEqual([0, 2, -1, 0, 0]);
    });

    it('counts the price of a whole period if less was charged, and the charge as revenue', async () => {
      const part = { amountMicros: 3_000_000, wholeMicros: 120_000_000, storeProductId: 'yearly' };
      const whole = { amountMicros: 120_000_000, storeProductId: 'yearly' };
      await sell({ periods: [period('02-01', '02-20', part), period('02-20', '06-20', whole)] });
      expect(await values('mrr', 0)).toEqual([0, 10, 10, 10, 10]);
      expect(await values('revenue', 0)).toEqual([0, 123, 0, 0, 0]);
      expect(await values('mrr_movement', 0)).toEqual([0, 10, 0, 0, 0]);
      for (const move of [2, 4, 6]) expect(await values('mrr_movement', move)).toEqual([0, 0, 0, 0, 0]);
    });

    it('counts no MRR of a part whose product has no length in the catalog', async () => {
      const part = { amountMicros: 3_000_000, wholeMicros: 120_000_000, storeProductId: 'week' };
      await sell({ periods: [period('05-01', '05-31', part)] });
      expect(await values('mrr', 0)).toEqual([0, 0, 0, 0, 0]);
      expect(await values('actives', 0)).toEqual([0, 0, 0, 0, 1]);
    });

    it('counts a subscription whose next period is paid ahead', async () => {
      const intro = period('04-11', '05-11', { kind: 'intro', amountMicros: 4_000_000 });
      await sell({ periods: [intro, period('05-11', '06-11')] });
      await sell(
        { periods: [period('04-11', '05-11'), period('05-11', '06-11', { storeProductId: 'yearly' })] },
        'bob',
      );
      const status = async (measure: string): Promise<number[]> => {
        const query = { selectors: { measure } };
        const answer = await askSeries(server, history.projectId, 'subscription_status', query);
        return answer.values.map(({ value }) => value);
      };
      expect(await status('active_subscriptions')).toEqual([2, 2, 0, 0]);
      expect(await status('mrr')).toEqual([14, 14, 0, 0]);
      expect(await status('subscription_revenue')).toEqual([14, 14, 0, 0]);
      const renewing = { selectors: { cohort_measure: 'subscriptions_set_to_renew' } };
      const explorer = await ask(server, history.projectId, 'cohort_explorer', { ...month, ...renewing });
      expect(explorer.values.filter(({ value }) => value === 2)).not.toEqual([]);
    });

    it('counts a renewal that is paid ahead as retained when it begins', async () => {
      await sell({ periods: [period('04-05', '05-05'), period('05-05', '06-05')] });
      await sell({ periods: [period('04-11', '05-11'), period('05-11', '06-11')] }, 'bob');
      const retained = async (): Promise<number[]> => {
        const answer = await ask(server, history.projectId, 'subscription_retention', month);
        if (answer.form !== 'table') throw new Error('subscription_retention');
        const april = Date.UTC(2026, 3, 1);
        return answer.values.filter(({ cohort }) => cohort === april).map(({ value }) => value);
      };
      expect(await retained()).toEqual([2, 1, 100]);
      server.clock.advanceMs(DAY_MS);
      expect(await retained()).toEqual([2, 2, 100]);
    });

    it('counts each customer once in what is left of the segments', async () => {
      for (const store of ['app_store', 'play_store', 'stripe'] as const) {
        await sell({ store, periods: [period('04-20', '05-20')] });
      }
      await sell({ store: 'app_store', periods: [period('04-20', '05-20')] }, 'bob');
      const query = {
        segment: 'store',
        limit_num_segments: '1',
        selectors: { conversion_timeframe: 'unbounded' },
      };
      const answer = await askSeries(server, history.projectId, 'conversion_to_paying', {
        ...month,
        ...query,
      });
      expect(answer.segments?.map(({ id }) => id)).toEqual(['total', 'app_store', 'other']);
      const found = [];
      for (const segment of [0, 1, 2]) {
        const sums = [];
        for (const measure of [0, 1]) {
          const list = await values('conversion_to_paying', measure, query, segment);
          sums.push(list.reduce((sum, value) => sum + value, 0));
        }
        found.push(sums);
      }
      expect(found).toEqual([
        [5, 2],
        [5, 2],
        [5, 1],
      ]);
    });

    it('months and years from the 29th of February on', async () => {
      const leap = Date.parse('2024-02-29T10:00:00Z');
      const until = (day: string): number => Date.parse(`${day}T10:00:00Z`);
      await history.addCustomer('leap', leap);
      const periodsUntil = (ends: string[], amountMicros: number): SoldPeriod[] =>
        ends.map((end, index) => ({
          startMs: index === 0 ? leap : until(ends[index - 1] ?? ''),
          endMs: until(end),
          amountMicros,
        }));
      const yearly = periodsUntil(['2025-02-28', '2026-02-28', '2027-02-28'], 120_000_000);
      await sell({ storeProductId: 'yearly', periods: yearly }, 'leap');
      // The catalog does not know how long this one is.
      await sell({ storeProductId: 'unknown', periods: yearly }, 'leap');
      const monthly = periodsUntil(['2024-03-29', '2024-04-29', '2024-05-31'], 10_000_000);
      await sell({ periods: monthly }, 'leap');
      const spring = { resolution: 'month', start_date: '2024-02-01', end_date: '2024-06-30' };
      const mrr = async (query: object) => values('mrr', 0, { ...query });
      expect(await mrr(spring)).toEqual([30, 30, 30, 20, 20]);
      const days = { resolution: 'day', start_date: '2024-02-28', end_date: '2024-03-01' };
      expect(await mrr(days)).toEqual([0, 30, 30]);
      expect(await mrr({ ...days, start_date: '2025-02-27', end_date: '2025-03-02' })).toEqual([
        20, 20, 20, 20,
      ]);
      const whole = { resolution: 'year', start_date: '2024-01-01', end_date: '2026-05-10' };
      expect(await values('actives_movement', 0, whole)).toEqual([3, 0, 0]);
      expect(await values('actives_movement', 2, whole)).toEqual([1, 0, 0]);
      const cells = async (name: string, query: object): Promise<number[]> => {
        const answer = await ask(server, history.projectId, name, { ...whole, ...query });
        if (answer.form !== 'table') throw new Error(name);
        return answer.values
          .filter(({ cohort }) => cohort === Date.UTC(2024, 0, 1))
          .map(({ value }) => value);
      };
      const ofYear = { filters: [{ name: 'product_duration', values: ['P1Y'] }] };
      expect(await cells('subscription_retention', ofYear)).toEqual([2, 2, 100, 2, 100]);
      const revenue = { selectors: { cohort_measure: 'revenue' } };
      // The anniversary of the 29th is the 28th.
      expect(await cells('cohort_explorer', revenue)).toEqual([1, 270, 240, 240]);
      const lifetime = { selectors: { customer_lifetime: '12_months' } };
      expect(await values('ltv_per_customer', 1, { ...whole, ...lifetime })).toEqual([510, 0, 0]);
      const comparison = new Comparison(server, history.projectId, rateOf);
      // Active customers are kept for two years.
      const kept = referenced.filter((name) => name !== 'customers_active');
      for (const rolledUp of [false, true]) {
        if (rolledUp) await history.rollUp();
        for (const name of kept) {
          await comparison.compare(name, {
            resolution: rolledUp ? 'quarter' : 'month',
            startDays: 830,
            days: 830,
            filters: [],
            value: 0,
            segment: null,
            limit: 100,
            selector: 3,
            currency: 'USD',
            expand: false,
            environment: 'production',
          });
        }
      }
    });

    it('counts the most common attribute values, and all others as one', async () => {
      const { projectId } = history;
      // Two have each of the first hundred values, one each of another hundred and three.
      await server.dataSource.query(
        `WITH made AS (
           INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
           SELECT $1, 'c' || n, 'c' || n, '2026-05-02', '2026-05-02' FROM generate_series(1, 303) n
           RETURNING id
         ) INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
         SELECT $1, id, 'team', CASE WHEN substr(id, 2)::int > 200 THEN 'rare' || id
           ELSE 'often' || substr(id, 2)::int % 100 END, 1, 'api', now() FROM made`,
        [projectId],
      );
      await history.setAttribute('ann', 'team', 'Other');
      await history.rollUp();
      await history.choose(['team']);
      await history.rollUp();
      const sizes = async (): Promise<number[]> => {
        const query = { ...month, segment: 'custom_attribute:team', limit_num_segments: '100' };
        const { segments, values: list } = await askSeries(server, projectId, 'customers_new', query);
        const named = ['total', 'often1', 'other', ''];
        return named.map((id) =>
          list
            .filter(({ segment }) => segments?.[segment]?.id === id)
            .reduce((sum, { value }) => sum + value, 0),
        );
      };
      // A segment is of those without a value; the last of the common ones is beyond the limit.
      expect(await sizes()).toEqual([308, 2, 106, 4]);
      const [stored] = await server.dataSource.query<{ many: number; known: number }[]>(
        `SELECT count(*) FILTER (WHERE k.attributes ->> 'team' = 'Other')::int AS many,
           count(DISTINCT k.attributes ->> 'team') FILTER (WHERE k.attributes ->> 'team' <> 'Other')::int AS known
         FROM chart_customers c JOIN chart_dims k ON k.project_id = $1 AND k.id = c.customer_dims_id
         WHERE c.project_id = $1`,
        [projectId],
      );
      expect(stored).toEqual({ many: 4, known: 200 });
      // A new value finds no room; one that is told apart does.
      await history.setAttribute('bob', 'team', 'new');
      await history.setAttribute('c1', 'team', 'often2');
      expect(await sizes()).toEqual([308, 0, 106, 3]);
      expect(await values('customers_new', 0, attributeFilter('often2'))).toEqual([0, 0, 0, 0, 3]);
    });

    it('counts attributes by what is chosen, with marks for those only', async () => {
      const marks = async (): Promise<number> => {
        const [row] = await server.dataSource.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM chart_changes WHERE project_id = $1',
          [history.projectId],
        );
        return row?.count ?? NaN;
      };
      await history.rollUp();
      await history.setAttribute('ann', 'unused', 'red');
      await history.setAttribute('ann', '$email', 'ann@example.com');
      await history.setAttribute('ann', 'team', null);
      expect(await marks()).toBe(0);
      await history.setAttribute('ann', 'team', 'red');
      expect(await marks()).toBe(1);
      await history.rollUp();
      await history.setAttribute('ann', 'team', 'red');
      expect(await marks()).toBe(0);
      expect(await values('customers_new', 0, attributeFilter('red'))).toEqual([0, 0, 0, 0, 1]);
      await history.choose(['unused']);
      await history.rollUp();
      expect(await values('customers_new', 0, attributeFilter('red', 'unused'))).toEqual([0, 0, 0, 0, 1]);
      await expect(values('customers_new', 0, attributeFilter('red'))).rejects.toThrow(
        /has no filter "custom_attribute:team"/,
      );
      await history.setAttribute('ann', 'team', 'blue');
      expect(await marks()).toBe(0);
    });

    it('counts no attribute value of an erased customer, a day later', async () => {
      await history.setAttribute('ann', 'team', 'secret');
      await history.setAttribute('bob', 'team', 'red');
      await history.rollUp();
      await history.erase('ann');
      server.clock.advanceMs(25 * HOUR_MS);
      await history.rollUp();
      const rows = await server.dataSource.query<{ team: string }[]>(
        `SELECT DISTINCT attributes ->> 'team' AS team FROM chart_dims
         WHERE project_id = $1 AND attributes IS NOT NULL`,
        [history.projectId],
      );
      expect(rows).toEqual([{ team: 'red' }]);
    });

    it('counts every subscription in the segments of retention', async () => {
      for (const store of ['app_store', 'app_store', 'play_store', 'stripe'] as const) {
        await sell({ store, periods: [period('03-05', '04-05'), period('04-05', '05-05')] });
      }
      const query = { ...month, segment: 'store', limit_num_segments: '1' };
      const answer = await ask(server, history.projectId, 'subscription_retention', query);
      const rows = answer.values.filter((one) => 'period' in one && one.period <= 1);
      expect(rows.map((one) => [(one as { cohort: unknown }).cohort, one.value])).toEqual([
        ['app_store', 2],
        ['app_store', 2],
        ['Other', 2],
        ['Other', 2],
        ['Total', 4],
        ['Total', 4],
      ]);
    });
  });
});
