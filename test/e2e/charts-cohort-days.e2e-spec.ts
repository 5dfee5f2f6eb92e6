import fc from 'fast-check';
import { Registry } from 'prom-client';
import { usdRate } from '../../libs/money/index.js';
import type { TableAnswer } from '../../src/insights/charts/answers/answer.model.js';
import {
  chartContents,
  type ChartHistory,
  HISTORY_NOW_MS,
  playHistory,
  type Step,
  steps,
} from '../support/charts-histories.js';
import { ask, Comparison, question } from '../support/charts-questions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
/** The seed is in the names of the tests. */
const seed = fc.readConfigureGlobal().seed ?? 0;
const RENEWING = 'subscriptions_set_to_renew';

const at = (day: string): number => Date.parse(`2026-${day}T10:00:00Z`);

describe(`the cohort explorer from sums of past days (seed ${seed})`, () => {
  let server: TestServer;
  let projects = 0;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  const play = (taken: readonly Step[]): Promise<ChartHistory> => {
    server.clock.setMs(HISTORY_NOW_MS);
    return playHistory(server, `cohorts${++projects}`, taken);
  };

  const query = <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    server.dataSource.query<Row[]>(sql, values);

  async function explorer(projectId: string, asked: Record<string, unknown>): Promise<TableAnswer> {
    const answer = await ask(server, projectId, 'cohort_explorer', asked);
    if (answer.form !== 'table') throw new Error('cohort_explorer');
    return answer;
  }

  /** Answers from the facts of all customers. */
  async function fromFacts<T>(projectId: string, read: () => Promise<T>): Promise<T> {
    const set = 'UPDATE chart_projects SET has_cohort_days = $2 WHERE project_id = $1';
    await query(set, projectId, false);
    const found = await read();
    await query(set, projectId, true);
    return found;
  }

  const rowsOf = (projectId: string, kind: string): Promise<unknown[]> =>
    query(
      `SELECT cohort_day::text AS "cohortDay", day::text, rate_day::text AS "rateDay", months,
         (revenue / 1e6)::float8 AS revenue, actives
       FROM chart_cohort_days WHERE project_id = $1 AND environment = 'production' AND kind = $2
       ORDER BY cohort_day, day, rate_day`,
      projectId,
      kind,
    );

  describe('of a customer who pays on the 31st of January and the 28th of February', () => {
    let history: ChartHistory;
    const range = { start_date: '2026-01-31', end_date: '2026-01-31' };

    beforeAll(async () => {
      history = await play([]);
      await history.addCustomer('zoe', at('01-31'));
      const refund = { kind: 'partial', atMs: at('03-05'), amountMicros: 4_000_000 } as const;
      const periods = [
        { startMs: at('01-31'), endMs: at('02-28'), amountMicros: 10_000_000 },
        { startMs: at('02-28'), endMs: at('03-31'), amountMicros: 10_000_000, refund },
      ];
      await history.sell({ customerId: 'zoe', subscription: { storeProductId: 'monthly', periods } });
      await history.rollUp();
    });

    it('stores a row for each day with money or states', async () => {
      const cohortDay = '2026-01-31';
      const expected = [
        { cohortDay, day: '2026-01-31', rateDay: '2026-01-31', months: 0, revenue: 10, actives: 1 },
        { cohortDay, day: '2026-02-28', rateDay: '2026-02-28', months: 1, revenue: 10, actives: 1 },
        { cohortDay, day: '2026-03-05', rateDay: '2026-02-28', months: 1, revenue: -4, actives: 0 },
        { cohortDay, day: '2026-03-31', rateDay: '2026-02-28', months: 2, revenue: 0, actives: -1 },
      ];
      const found = await rowsOf(history.projectId, 'c');
      // The end of the first period is on the day of the second, with the rate of its own day.
      expect(found).toEqual([
        expected[0],
        { cohortDay, day: '2026-02-28', rateDay: '2026-01-31', months: 1, revenue: 0, actives: -1 },
        ...expected.slice(1),
      ]);
      for (const kind of ['i', 'p']) expect(await rowsOf(history.projectId, kind)).toEqual(found);
    });

    it.each([
      ['month', { 0: 10, 1: 6 }],
      ['day', { 0: 10, 28: 10, 33: -4 }],
      ['week', { 0: 10, 4: 6 }],
      ['quarter', { 0: 16 }],
      ['year', { 0: 16 }],
    ])('shows the money by %s', async (resolution, expected) => {
      const selectors = { cohort_measure: 'revenue' };
      const { values } = await explorer(history.projectId, { ...range, resolution, selectors });
      const cells = values.filter(({ cohort, period }) => cohort !== 'Total' && period > 0);
      const found = cells.filter(({ value }) => value !== 0).map(({ period, value }) => [period - 1, value]);
      expect(Object.fromEntries(found)).toEqual(expected);
    });
  });

  it('answers what the slow reference and the facts do, at any time', async () => {
    const asked = question.map((one) => ({ ...one, filters: [], segment: null }));
    const times = [
      HISTORY_NOW_MS,
      Date.parse('2026-05-13T00:00:00Z'),
      Date.parse('2026-05-31T23:59:59Z'),
      Date.parse('2027-02-28T12:00:00Z'),
      Date.parse('2028-02-29T00:00:00Z'),
    ];
    await fc.assert(
      fc.asyncProperty(steps, fc.array(asked, { minLength: 60, maxLength: 60 }), async (taken, list) => {
        const history = await play(taken);
        const { projectId } = history;
        const comparison = new Comparison(
          server,
          projectId,
          (currency, dayMs) => usdRate(currency, new Date(dayMs).toISOString().slice(0, 10), new Map()) ?? 0,
        );
        await history.rollUp();
        for (const [index, time] of times.entries()) {
          server.clock.setMs(time);
          // Once with the days since the last rollup, once without.
          if (index % 2 === 1) await history.rollUp();
          for (const [place, one] of list.slice(index * 12, index * 12 + 12).entries()) {
            // All dates and measures, in turn.
            await comparison.compare('cohort_explorer', { ...one, selector: index * 12 + place });
          }
          const whole = {
            start_date: '2025-01-01',
            end_date: '2028-03-01',
            resolution: 'month',
            currency: 'EUR',
          };
          for (const cohorting_date of ['new_customers', 'initial_conversions', 'new_paying_customers']) {
            for (const cohort_measure of ['realized_ltv', 'proceeds', 'retained_subscriptions']) {
              const of = { ...whole, selectors: { cohorting_date, cohort_measure } };
              const { values, periods } = await explorer(projectId, of);
              const slow = await fromFacts(projectId, () => explorer(projectId, of));
              expect({ values, periods }).toEqual({ values: slow.values, periods: slow.periods });
            }
          }
        }
      }),
      { seed, numRuns: 3, endOnFailure: true },
    );
  });

  it('answers with the money of today after a server whose clock is ahead closed the day', async () => {
    const history = await play([]);
    await history.addCustomer('zoe', at('05-10'));
    const period = { startMs: at('05-10'), endMs: at('06-10'), amountMicros: 10_000_000 };
    await history.sell({ customerId: 'zoe', subscription: { storeProductId: 'monthly', periods: [period] } });
    server.clock.setMs(Date.parse('2026-05-11T00:00:01Z'));
    await history.rollUp();
    server.clock.setMs(Date.parse('2026-05-10T23:59:59Z'));
    const selectors = { cohort_measure: 'revenue' };
    const { values } = await explorer(history.projectId, {
      start_date: '2026-05-01',
      resolution: 'month',
      selectors,
    });
    expect(values.findLast(({ cohort }) => cohort === 'Total')?.value).toBe(10);
  });

  it('moves past days with the first day, conversion and payment of their customer', async () => {
    const history = await play([]);
    await history.addCustomer('zoe', at('03-10'));
    const first = { startMs: at('03-10'), endMs: at('04-10'), amountMicros: 10_000_000 };
    const second = { startMs: at('04-10'), endMs: at('05-10'), amountMicros: 10_000_000 };
    const sold = (periods: object[]) => ({
      customerId: 'zoe',
      subscription: { storeProductId: 'monthly', periods: periods as (typeof first)[] },
    });
    const id = await history.sell(sold([first, second]));
    await history.rollUp();
    const daysOf = async (kind: string): Promise<string[]> => [
      ...new Set(
        (await rowsOf(history.projectId, kind)).map((row) => (row as { cohortDay: string }).cohortDay),
      ),
    ];
    const all = async (): Promise<string[][]> => [await daysOf('c'), await daysOf('i'), await daysOf('p')];
    expect(await all()).toEqual([['2026-03-10'], ['2026-03-10'], ['2026-03-10']]);
    // A full refund of the first payment makes the second the first that counts.
    const refund = { kind: 'full', atMs: at('03-12'), amountMicros: 10_000_000 };
    await history.sell({ id, ...sold([{ ...first, refund }, second]) });
    await history.rollUp();
    expect(await all()).toEqual([['2026-03-10'], ['2026-03-10'], ['2026-04-10']]);
    const sizes = await query(
      `SELECT time_window AS window, cohort_day::text AS day, customers FROM chart_cohort_counts
       WHERE project_id = $1 AND environment = 'production' AND customers > 0 ORDER BY 1`,
      history.projectId,
    );
    expect(sizes).toEqual([
      { window: -2, day: '2026-04-10', customers: 1 },
      { window: -1, day: '2026-03-10', customers: 1 },
    ]);
    // An earlier purchase that is imported later.
    await history.sell({
      customerId: 'zoe',
      subscription: {
        storeProductId: 'yearly',
        periods: [{ startMs: at('02-01'), endMs: at('02-20'), amountMicros: 5_000_000 }],
      },
    });
    await history.rollUp();
    expect(await all()).toEqual([['2026-02-01'], ['2026-02-01'], ['2026-02-01']]);
    await history.erase('zoe');
    await history.rollUp();
    expect(await all()).toEqual([[], [], []]);
  });

  it('sums all days again after an upgrade, and answers from facts until then', async () => {
    const [taken = []] = fc.sample(steps, { seed, numRuns: 1 });
    const history = await play(taken);
    const { projectId } = history;
    const range = { start_date: '2025-06-01', end_date: '2026-05-10', resolution: 'month' };
    await history.rollUp();
    const [before, { values }] = [await chartContents(server, projectId), await explorer(projectId, range)];
    await query('DELETE FROM chart_cohort_days WHERE project_id = $1', projectId);
    await query('DELETE FROM chart_cohort_counts WHERE project_id = $1 AND time_window < 0', projectId);
    await query(
      'UPDATE chart_projects SET has_cohort_days = false, has_exact_facts = false WHERE project_id = $1',
      projectId,
    );
    expect((await explorer(projectId, range)).values).toEqual(values);
    await history.rollUp();
    expect(await chartContents(server, projectId)).toEqual(before);
    expect(
      await query(
        'SELECT has_cohort_days AS "hasCohortDays" FROM chart_projects WHERE project_id = $1',
        projectId,
      ),
    ).toEqual([{ hasCohortDays: true }]);
  });

  it('derives a project again in which an older server changed the first day of a customer', async () => {
    const [taken = []] = fc.sample(steps, { seed, numRuns: 1 });
    const history = await play(taken);
    await history.rollUp();
    const before = await chartContents(server, history.projectId);
    await query(
      `UPDATE chart_customers SET cohort_day = cohort_day - 1 WHERE project_id = $1 AND customer_id = 'ann'`,
      history.projectId,
    );
    await history.rollUp();
    expect(await chartContents(server, history.projectId)).toEqual(before);
  });

  it('checks a sample once a day: a difference is counted and repaired', async () => {
    const history = await play([]);
    const { projectId } = history;
    await history.addCustomer('zoe', at('03-10'));
    const periods = [{ startMs: at('03-10'), endMs: at('06-10'), amountMicros: 10_000_000 }];
    await history.sell({ customerId: 'zoe', subscription: { storeProductId: 'monthly', periods } });
    await history.rollUp();
    const total = async (): Promise<number | undefined> => {
      const selectors = { cohort_measure: 'realized_ltv' };
      const { values } = await explorer(projectId, {
        start_date: '2026-03-01',
        resolution: 'month',
        selectors,
      });
      return values.findLast(({ cohort }) => cohort === 'Total')?.value;
    };
    const differences = async (): Promise<string> =>
      server.app.get(Registry).getSingleMetricAsString('tenure_chart_differences_total');
    expect(await total()).toBe(10);
    await query('UPDATE chart_cohort_days SET revenue = revenue + 5000000 WHERE project_id = $1', projectId);
    expect(await total()).toBe(15);
    expect(await differences()).toMatch(/of="cohort_days"\} 0/);
    server.clock.advanceMs(25 * HOUR_MS);
    await history.rollUp();
    expect(await differences()).toMatch(/of="cohort_days"\} 1/);
    expect(await total()).toBe(10);
  });

  it('answers who is set to renew from facts', async () => {
    const history = await play([]);
    await history.sell({
      customerId: 'ann',
      subscription: {
        storeProductId: 'monthly',
        periods: [{ startMs: at('04-20'), endMs: at('05-20'), amountMicros: 10_000_000 }],
      },
    });
    await history.rollUp();
    const selectors = { cohort_measure: RENEWING };
    const { values } = await explorer(history.projectId, {
      start_date: '2025-01-01',
      resolution: 'year',
      selectors,
    });
    expect(values.findLast(({ cohort }) => cohort === 'Total')?.value).toBe(1);
  });
});
