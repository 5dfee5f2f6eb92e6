import fc from 'fast-check';
import { charts } from '../../src/insights/charts/definitions/charts.js';
import { ChartsService } from '../../src/insights/charts/answers/charts.service.js';
import { csvLines } from '../../src/insights/charts/routes/chart-csv.js';
import { presentChart } from '../../src/insights/charts/routes/chart.presenter.js';
import type { SeriesAnswer, TableAnswer } from '../../src/insights/charts/answers/answer.model.js';
import { MetricsService } from '../../src/insights/metrics/metrics.service.js';
import {
  chartContents,
  type ChartHistory,
  type Sold,
  HISTORY_NOW_MS,
  playHistory,
  type Step,
  stepsWithViews,
} from '../support/charts-histories.js';
import { measureNames } from '../support/charts-figures.js';
import { ask, askSeries, read } from '../support/charts-questions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
/** Nothing is paid ahead of it. */
const NOW_MS = HISTORY_NOW_MS + 3 * DAY_MS;
const CENT = 0.011;
/** The seed is in the names of the tests. */
const seed = fc.readConfigureGlobal().seed ?? 0;

type Query = Record<string, unknown>;

const questions: Query[] = [
  { resolution: 'month', start_date: '2025-11-01', end_date: '2026-05-13' },
  { resolution: 'day', start_date: '2026-03-10', end_date: '2026-05-13' },
  { resolution: 'week', start_date: '2026-02-04', end_date: '2026-05-20', currency: 'EUR' },
  {
    resolution: 'month',
    start_date: '2026-01-15',
    end_date: '2026-05-10',
    filters: [{ name: 'store', values: ['app_store', 'stripe'] }],
  },
  {
    resolution: 'quarter',
    start_date: '2025-10-01',
    end_date: '2026-05-13',
    filters: [
      { name: 'country', values: ['US', ''] },
      { name: 'product_duration', values: ['P1M'] },
    ],
  },
];
const whole: Query = { resolution: 'year', start_date: '2020-01-01', end_date: '2026-05-13' };

/** Whether a bucket is one that averages are over: complete, or any if none is. */
function isAveraged({ values }: SeriesAnswer, bucket: number): boolean {
  const open = values
    .filter(({ measure, segment }) => measure === 0 && segment === 0)
    .map(({ incomplete }) => incomplete);
  return !open[bucket] || !open.includes(false);
}

/** Values of a measure by bucket, of one segment. */
function column({ values }: SeriesAnswer, measure: number, segment = 0): number[] {
  return values.filter((one) => one.measure === measure && one.segment === segment).map(({ value }) => value);
}

const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);

describe(`properties of charts (seed ${seed})`, () => {
  let server: TestServer;
  const worlds: ChartHistory[] = [];
  let unrefunded: ChartHistory;
  let projects = 0;

  const isSaleOrChange = ({ do: what }: Step): boolean =>
    ['sell', 'refund', 'renew', 'cancel'].includes(what);
  const play = async (taken: readonly Step[]): Promise<ChartHistory> => {
    server.clock.setMs(HISTORY_NOW_MS);
    const history = await playHistory(server, `world${++projects}`, taken);
    server.clock.setMs(NOW_MS);
    return history;
  };

  beforeAll(async () => {
    server = await startTestServer();
    const [first = [], second = [], third = []] = fc.sample(stepsWithViews, { seed, numRuns: 3 });
    worlds.push(await play([...first, ...second]));
    // Dollars only, and nothing goes back.
    const sold = third.filter(({ do: what }) => ['sell', 'renew', 'view'].includes(what));
    const inDollars = JSON.parse(JSON.stringify(sold).replace(/"currency":"\w+"/g, '"currency":"USD"'));
    unrefunded = await play(inDollars as Step[]);
    worlds.push(unrefunded);
    await worlds[1]?.rollUp();
  });

  beforeEach(() => server.clock.setMs(NOW_MS));

  afterAll(() => server.close());

  const series = ({ projectId }: ChartHistory, name: string, query: Query): Promise<SeriesAnswer> =>
    askSeries(server, projectId, name, query);
  const table = async ({ projectId }: ChartHistory, name: string, query: Query): Promise<TableAnswer> => {
    const answer = await ask(server, projectId, name, query);
    if (answer.form !== 'table') throw new Error(name);
    return answer;
  };

  /** For each world and question; the failed one is in the error. */
  async function everywhere(check: (world: ChartHistory, query: Query) => Promise<void>): Promise<void> {
    for (const world of worlds) {
      for (const query of questions) {
        await check(world, query).catch((error: unknown) => {
          throw new Error(`${world.projectId} ${JSON.stringify(query)}: ${String(error)}`, { cause: error });
        });
      }
    }
  }

  const close = (found: number, expected: number, by = CENT): void =>
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(by);

  it('1: active subscriptions change by their movement', () =>
    everywhere(async (world, query) => {
      const [stock, moved, churn] = [
        await series(world, 'actives', query),
        await series(world, 'actives_movement', query),
        await series(world, 'churn', query),
      ];
      column(stock, 0).forEach((end, index) => {
        const before = column(stock, 0)[index - 1] ?? column(churn, 0)[0] ?? 0;
        const [fresh = 0, again = 0, churned = 0, movement] = [0, 1, 2, 3].map(
          (m) => column(moved, m)[index],
        );
        expect(end - before).toBe(movement);
        expect(fresh + again - churned).toBe(movement);
      });
    }));

  it('2: MRR changes by its movement, and no rate moves what was sold in dollars', async () => {
    await everywhere(async (world, query) => {
      const [stock, moved] = [await series(world, 'mrr', query), await series(world, 'mrr_movement', query)];
      const ends = column(stock, 0);
      ends.forEach((end, index) => {
        const [fresh = 0, again = 0, more = 0, churned = 0, less = 0, movement = 0, drift = 0] = [
          0, 1, 2, 3, 4, 5, 6,
        ].map((m) => column(moved, m)[index]);
        if (index > 0) close(end - (ends[index - 1] ?? 0), movement, 2 * CENT);
        close(fresh + again + more - churned - less + drift, movement, 4 * CENT);
        if (query.currency === undefined)
          for (const part of [fresh, again, more, churned, less]) expect(part).toBeGreaterThanOrEqual(0);
        if (world === unrefunded && query.currency === undefined) expect(drift).toBe(0);
      });
    });
  });

  it('3: trials change by their movement, and every chart counts the same new ones', () =>
    everywhere(async (world, query) => {
      const ends = column(await series(world, 'trials', query), 0);
      const moved = await series(world, 'trials_movement', query);
      ends.slice(1).forEach((end, index) => {
        expect(end - (ends[index] ?? 0)).toBe(column(moved, 2)[index + 1]);
      });
      const fresh = column(moved, 0);
      expect(column(await series(world, 'trials_new', query), 0)).toEqual(fresh);
      expect(column(await series(world, 'trial_conversion_rate', query), 0)).toEqual(fresh);
    }));

  it('4: charts of the same figure agree', () =>
    everywhere(async (world, query) => {
      const of = async (name: string, measure: number): Promise<number[]> =>
        column(await series(world, name, query), measure);
      const mrr = await of('mrr', 0);
      (await of('arr', 0)).forEach((arr, index) => close(arr, 12 * (mrr[index] ?? 0), 12 * CENT));
      const [fresh, again] = [await of('actives_movement', 0), await of('actives_movement', 1)];
      expect(await of('actives_new', 3)).toEqual(fresh.map((value, index) => value + (again[index] ?? 0)));
      expect(await of('churn', 1)).toEqual(await of('actives_movement', 2));
      expect((await of('churn', 0)).slice(1)).toEqual((await of('actives', 0)).slice(0, -1));
    }));

  it('5: revenue is what was paid less what went back, and more than net of taxes, and that than proceeds', async () => {
    for (const world of worlds) {
      const [query = {}] = questions;
      const revenue = await series(world, 'revenue', query);
      const refunds = column(await series(world, 'refunds', query), 0);
      const paid = await server.dataSource.query<{ month: string; usd: number }[]>(
        `SELECT to_char(purchased_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, (sum(usd_micros) / 1e6)::float8 AS usd
         FROM store_transactions WHERE project_id = $1 AND environment = 'production' AND ownership = 'purchased'
           AND store <> 'promotional' AND kind NOT LIKE 'refund%' AND purchased_at <= $2 GROUP BY 1`,
        [world.projectId, new Date(NOW_MS)],
      );
      const months = [
        ...new Set(revenue.values.map(({ bucketMs }) => new Date(bucketMs).toISOString().slice(0, 7))),
      ];
      const of = async (revenueType: string): Promise<number[]> =>
        column(await series(world, 'revenue', { ...query, selectors: { revenue_type: revenueType } }), 0);
      const [net, proceeds] = [await of('revenue_net_of_taxes'), await of('proceeds')];
      column(revenue, 0).forEach((value, index) => {
        const gross = paid.find(({ month }) => month === months[index])?.usd ?? 0;
        close(value, gross - (refunds[index] ?? 0), 2 * CENT);
        if (refunds[index] !== 0) return;
        expect(net[index]).toBeLessThanOrEqual(value);
        expect(proceeds[index]).toBeLessThanOrEqual(net[index] ?? 0);
      });
    }
  });

  it('6: over all time, every chart and the overview have the same revenue', async () => {
    for (const world of worlds) {
      const total = sum(column(await series(world, 'revenue', whole), 0));
      const [row] = await server.dataSource.query<{ usd: number }[]>(
        `SELECT coalesce(sum(usd_micros) / 1e6, 0)::float8 AS usd FROM store_transactions
         WHERE project_id = $1 AND environment = 'production' AND ownership = 'purchased' AND store <> 'promotional'
           AND purchased_at <= $2`,
        [world.projectId, new Date(NOW_MS)],
      );
      close(total, row?.usd ?? -1, 8 * CENT);
      const unbounded = { ...whole, selectors: { customer_lifetime: 'unbounded' } };
      close(sum(column(await series(world, 'ltv_per_customer', unbounded), 1)), total, 16 * CENT);
      const realized = {
        ...whole,
        resolution: 'month',
        start_date: '2024-01-01',
        selectors: { cohort_measure: 'realized_ltv' },
      };
      const last = new Map<unknown, number>();
      for (const { cohort, period, value } of (await table(world, 'cohort_explorer', realized)).values)
        if (cohort !== 'Total') last.set(cohort, period === 0 ? 0 : value);
      close(sum([...last.values()]), total, 40 * CENT);
      const history = await server.app.get(MetricsService).history(world.projectId, {
        metric: 'revenue',
        days: 365,
        environment: 'production',
        currency: 'USD',
      });
      close(history.value, total, 8 * CENT);
    }
  });

  it('7: coarser buckets add up finer ones, and have their last states', async () => {
    const range = { start_date: '2026-01-01', end_date: '2026-05-13' };
    for (const world of worlds) {
      for (const [name, measures] of [
        ['revenue', [0, 1]],
        ['actives_movement', [0, 1, 2, 3]],
        ['mrr_movement', [5]],
        ['trials_movement', [0, 1, 2]],
        ['refunds', [0, 1]],
        ['refund_rate', [0, 1]],
        ['customers_new', [0]],
        ['conversion_to_paying', [0, 1]],
        ['actives', [0]],
        ['mrr', [0]],
      ] as const) {
        const days = await series(world, name, { ...range, resolution: 'day' });
        for (const resolution of ['month', 'year', 'week']) {
          const coarse = await series(world, name, { ...range, resolution });
          const buckets = [...new Set(coarse.values.map(({ bucketMs }) => bucketMs))];
          for (const measure of measures) {
            const found = column(coarse, measure);
            buckets.forEach((from, index) => {
              const inside = days.values
                .filter(
                  (one) =>
                    one.measure === measure &&
                    one.bucketMs >= from &&
                    one.bucketMs < (buckets[index + 1] ?? Infinity),
                )
                .map(({ value }) => value);
              const isStock = name === 'actives' || name === 'mrr';
              close(found[index] ?? NaN, isStock ? (inside.at(-1) ?? 0) : sum(inside), inside.length * CENT);
            });
          }
        }
      }
      const active = async (resolution: string): Promise<number[]> =>
        column(await series(world, 'customers_active', { ...range, resolution }), 0);
      const [days, years] = [await active('day'), await active('year')];
      expect(years[0]).toBeLessThanOrEqual(sum(days));
      expect(years[0]).toBeGreaterThanOrEqual(Math.max(...days));
    }
  });

  it('8: segments add up to the total, and each is what its filter answers', async () => {
    const query = { resolution: 'month', start_date: '2025-12-01', end_date: '2026-05-13' };
    for (const world of worlds) {
      for (const [name, segment, measures] of [
        ['revenue', 'store', [0, 1]],
        ['revenue', 'renewal_cycle', [0, 1]],
        ['mrr', 'country', [0]],
        ['actives', 'subscription_type', [0]],
        ['actives_new', 'product_id', [0, 1, 2, 3]],
        ['trials_new', 'store', [0]],
        ['refunds', 'product_duration', [0, 1]],
        ['customers_new', 'platform', [0]],
        ['ltv_per_customer', 'country', [0, 1]],
      ] as const) {
        for (const limit of world === unrefunded ? ['100'] : ['100', '1']) {
          const answer = await series(world, name, { ...query, segment, limit_num_segments: limit });
          const isClosed = ['store', 'renewal_cycle', 'subscription_type'].includes(segment);
          const parts = (answer.segments ?? []).flatMap((one, index) =>
            one.isTotal ? [] : [{ ...one, index }],
          );
          for (const measure of measures) {
            column(answer, measure).forEach((total, bucket) => {
              const added = sum(parts.map(({ index }) => column(answer, measure, index)[bucket] ?? 0));
              close(added, total, parts.length * CENT);
            });
          }
          for (const { id, index, isOther } of parts) {
            // What gave no access has no type, which no closed list names.
            if (isOther || limit === '1' || (id === '' && isClosed)) continue;
            const filters = [{ name: segment, values: [id] }];
            const filtered = await series(world, name, { ...query, filters });
            for (const measure of measures)
              expect(column(filtered, measure)).toEqual(column(answer, measure, index));
          }
          if (limit === '1' || (isClosed && parts.some(({ id }) => id === ''))) continue;
          const all = [{ name: segment, values: parts.map(({ id }) => id) }];
          const filtered = await series(world, name, { ...query, filters: all });
          for (const measure of measures) expect(column(filtered, measure)).toEqual(column(answer, measure));
        }
      }
      const [a, b] = [
        { name: 'store', values: ['app_store', 'stripe'] },
        { name: 'subscription_type', values: ['new'] },
      ];
      const both = await series(world, 'mrr_movement', { ...query, filters: [a, b] });
      expect((await series(world, 'mrr_movement', { ...query, filters: [b, a] })).values).toEqual(
        both.values,
      );
    }
  });

  it('9: longer windows convert no fewer, and new customers are the same everywhere', async () => {
    const query = { resolution: 'month', start_date: '2025-11-01', end_date: '2026-05-13' };
    const timeframes = ['0_days', '3_days', '7_days', '14_days', '30_days', 'unbounded'];
    const grows = (lists: number[][]): void => {
      lists.slice(1).forEach((list, index) => {
        list.forEach((value, bucket) => expect(value).toBeGreaterThanOrEqual(lists[index]?.[bucket] ?? 0));
      });
    };
    for (const world of worlds) {
      const fresh = column(await series(world, 'customers_new', query), 0);
      const byTrial: number[][] = [];
      const paid: number[][] = [];
      for (const timeframe of timeframes) {
        const asked = { ...query, selectors: { conversion_timeframe: timeframe } };
        const trials = [{ name: 'offer_type', values: ['free_trial'] }];
        byTrial.push(column(await series(world, 'initial_conversion', { ...asked, filters: trials }), 1));
        const [paying, initial] = [
          await series(world, 'conversion_to_paying', asked),
          await series(world, 'initial_conversion', asked),
        ];
        paid.push(column(paying, 1));
        column(paying, 1).forEach((value, index) => {
          expect(value).toBeLessThanOrEqual(fresh[index] ?? 0);
          expect(value).toBeLessThanOrEqual(column(initial, 1)[index] ?? 0);
        });
        const filters = [{ name: 'store', values: ['play_store'] }];
        for (const name of ['conversion_to_paying', 'initial_conversion'])
          expect(column(await series(world, name, { ...asked, filters }), 0)).toEqual(fresh);
      }
      grows(byTrial);
      if (world === unrefunded) grows(paid);
      const filters = [{ name: 'channel', values: ['Non-subscription'] }];
      expect(column(await series(world, 'ltv_per_customer', { ...query, filters }), 0)).toEqual(fresh);
    }
  });

  it('10: rates and summaries follow from the values, and aggregate leaves out only these', async () => {
    const rates: Record<string, [part: number, whole: number, rate: number, times: number]> = {
      churn: [1, 0, 2, 100],
      trial_conversion_rate: [1, 0, 4, 100],
      conversion_to_paying: [1, 0, 2, 100],
      initial_conversion: [1, 0, 2, 100],
      refund_rate: [1, 0, 2, 100],
      ltv_per_customer: [1, 0, 2, 1],
      ltv_per_paying_customer: [1, 0, 2, 1],
      paywall_conversion: [1, 0, 2, 100],
      paywall_abandonment: [1, 0, 2, 100],
      paywall_ltv: [2, 0, 3, 1],
    };
    await everywhere(async (world, query) => {
      for (const [name, [part, all, rate, times]] of Object.entries(rates)) {
        const answer = await series(world, name, query);
        column(answer, rate).forEach((value, index) => {
          const whole = column(answer, all)[index] ?? 0;
          close(value, whole === 0 ? 0 : (times * (column(answer, part)[index] ?? 0)) / whole, CENT);
        });
        const over = (answer.averagedOver && {
          buckets: column(answer, rate).filter((_, index) => isAveraged(answer, index)),
          wholes: column(answer, all).filter((_, index) => isAveraged(answer, index)),
        }) ?? { buckets: [], wholes: [] };
        const rated = over.buckets.filter((_, index) => over.wholes[index] !== 0);
        const named = answer.measures[rate]?.name ?? '';
        const { average = {}, total = {} } = answer.summary as Record<string, Record<string, number | null>>;
        if (rated.length === 0) expect([name, average[named]]).toEqual([name, null]);
        else close(Number(average[named]), sum(rated) / rated.length, CENT);
        const whole = total[answer.measures[all]?.name ?? ''];
        if (whole === 0) expect([name, total[named]]).toEqual([name, null]);
        else
          close(
            Number(total[named]),
            (times * Number(total[answer.measures[part]?.name ?? ''])) / Number(whole),
            CENT,
          );
        const asked = { ...query, aggregate: 'total,average' };
        const aggregated = await series(world, name, asked);
        expect({ ...aggregated, values: answer.values, lastComputedAtMs: 0 }).toEqual({
          ...answer,
          lastComputedAtMs: 0,
        });
        expect(aggregated.values).toEqual([]);
      }
      for (const name of ['revenue', 'actives', 'actives_new', 'trials_movement']) {
        const answer = await series(world, name, query);
        answer.measures.forEach((measure, index) => {
          const own = answer.values.filter((one) => one.measure === index);
          const used = own.filter((_, place) => isAveraged(answer, place)).map(({ value }) => value);
          expect(used).toHaveLength(answer.averagedOver?.buckets ?? -1);
          const { average = {}, total = {} } = answer.summary;
          close(Number(average[measure.name]), sum(used) / used.length, CENT);
          if (name === 'actives') expect(total).toEqual({});
          else close(Number(total[measure.name]), sum(own.map(({ value }) => value)), own.length * CENT);
        });
      }
    });
  });

  it('10: a range that is expanded is whole in front and cut at its end', async () => {
    const cut = { start_date: '2026-02-11', end_date: '2026-05-06', resolution: 'month' };
    for (const world of worlds) {
      for (const { id: name, table: form } of charts) {
        if (form !== 'series') continue;
        const expanded = await series(world, name, { ...cut, expand_periods: 'true' });
        const fromFirst = await series(world, name, { ...cut, start_date: '2026-02-01' });
        expect([name, expanded]).toEqual([
          name,
          { ...fromFirst, lastComputedAtMs: expanded.lastComputedAtMs },
        ]);
      }
    }
  });

  it('10: JSON and CSV have the same figures, and each time has its unit', async () => {
    const range = { start_date: '2026-01-15', end_date: '2026-05-13', resolution: 'month' };
    const seconds = (ms: number): number => ms / 1000;
    for (const world of worlds) {
      for (const chart of charts) {
        const { id: name, table: form, segments } = chart;
        for (const segment of segments.includes('store') ? [undefined, 'store'] : [undefined]) {
          const query = { ...range, expand_periods: 'true', ...(segment ? { segment } : {}) };
          const question = await read(server, world.projectId, name, query);
          const answer = await server.app.get(ChartsService).answer(question);
          const data = presentChart(question, answer);
          const isStatus = form === 'status';
          expect([name, data.start_date, data.end_date]).toEqual([
            name,
            seconds(Date.UTC(2026, 0, 15)),
            seconds(Date.UTC(2026, 4, 13)),
          ]);
          const first = seconds(isStatus ? Date.UTC(2026, 4, 1) : Date.UTC(2026, 0, 1));
          const labels = data.values.flatMap(({ cohort }) => (typeof cohort === 'number' ? [cohort] : []));
          if (labels.length > 0) expect([name, Math.min(...labels)]).toEqual([name, first]);
          if (form === 'series' || isStatus) {
            const open = data.values
              .filter(({ measure, segment: index = 0 }) => measure === 0 && index === 0)
              .filter(({ incomplete }, _, all) => !incomplete || all.every((one) => one.incomplete))
              .map(({ cohort }) => cohort);
            expect([name, data.averaged_over]).toEqual([
              name,
              { buckets: open.length, first: open[0], last: open.at(-1) },
            ]);
          } else expect([name, data.averaged_over]).toEqual([name, null]);
          expect(data.last_computed_at).toBeLessThanOrEqual(server.clock.nowMs());
          expect(data.last_computed_at).toBeGreaterThan(Date.UTC(2026, 0, 1));
          const lines = [...csvLines(question, answer)].map((line) => line.trimEnd().split(','));
          const isTable = form === 'retention' || form === 'explorer';
          const cells = lines
            .slice(1)
            .flatMap((line) => (isTable ? line.slice(1, -1) : line.slice(segment ? 3 : 2)))
            .filter((cell) => cell !== '');
          expect([name, cells]).toEqual([name, data.values.map(({ value }) => String(value))]);
        }
      }
    }
  });

  it('11: no more pay a later time than an earlier one, and each run is a member once', async () => {
    const query = { resolution: 'month', start_date: '2024-01-01', end_date: '2026-05-13' };
    for (const world of worlds) {
      const [row] = await server.dataSource.query<{ runs: number; durations: string[] }[]>(
        `SELECT count(*)::int AS runs, array_agg(DISTINCT k.product_duration) AS durations
         FROM chart_runs r JOIN chart_dims k ON k.project_id = r.project_id AND k.id = r.cohort_dims_id
         WHERE r.project_id = $1 AND r.environment = 'production' AND r.cohort_at <= $2`,
        [world.projectId, new Date(NOW_MS)],
      );
      let members = 0;
      for (const duration of row?.durations ?? []) {
        const filters = [{ name: 'product_duration', values: [duration] }];
        const { values, periods } = await table(world, 'subscription_retention', { ...query, filters });
        const rows = new Map<unknown, Map<number, number>>();
        for (const { cohort, period, value } of values)
          rows.set(cohort, (rows.get(cohort) ?? new Map<number, number>()).set(period, value));
        const total = rows.get('Total') ?? new Map<number, number>();
        members += total.get(0) ?? 0;
        const cohorts = [...rows].filter(([name]) => name !== 'Total').map(([, cells]) => cells);
        for (let column = 2; column < periods.length; column += 2) {
          const cells = cohorts.flatMap((one) => one.get(column) ?? []);
          if (cells.length === 0) continue;
          // A mean, so it lies between what it is of.
          expect(total.get(column)).toBeGreaterThanOrEqual(Math.min(...cells));
          expect(total.get(column)).toBeLessThanOrEqual(Math.max(...cells));
        }
        for (let column = 0; column < periods.length; column = column === 0 ? 1 : column + 2) {
          if (total.has(column))
            expect(total.get(column)).toBe(sum(cohorts.map((cells) => cells.get(column) ?? 0)));
          for (const cells of cohorts) {
            const before = cells.get(column === 1 ? 0 : column - 2);
            if (!cells.has(column) || before === undefined) continue;
            expect(cells.get(column)).toBeGreaterThanOrEqual(0);
            // A payment that went back is none, those after it are.
            if (world === unrefunded) expect(cells.get(column)).toBeLessThanOrEqual(before);
          }
        }
      }
      expect(members).toBe(row?.runs);
    }
  });

  it('12: every trial is converted, expired or pending, and none is pending in a complete bucket', () =>
    everywhere(async (world, query) => {
      const answer = await series(world, 'trial_conversion_rate', query);
      const [starts = [], converted = [], expired = [], pending = []] = [0, 1, 2, 3].map((m) =>
        column(answer, m),
      );
      const open = answer.values.filter(({ measure }) => measure === 0).map(({ incomplete }) => incomplete);
      starts.forEach((value, index) => {
        const parts = [converted[index] ?? 0, expired[index] ?? 0, pending[index] ?? 0];
        expect(sum(parts)).toBe(value);
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
        if (!open[index]) expect(pending[index]).toBe(0);
      });
    }));

  it('13: what is active now is what its states add up to, and its months, and what the overview says', async () => {
    const today = { start_date: '2026-05-13', end_date: '2026-05-13', resolution: 'day' };
    for (const world of worlds) {
      const overview = await server.app.get(MetricsService).overview(world.projectId, 'production', 'USD');
      for (const [measure, chart, figure] of [
        ['active_subscriptions', 'actives', 'active_subscriptions'],
        ['active_trials', 'trials', 'active_trials'],
        ['mrr', 'mrr', 'mrr'],
        ['arr', 'arr', null],
      ] as const) {
        const query = { selectors: { measure }, segment: 'expiration_month', limit_num_segments: '2' };
        const answer = await series(world, 'subscription_status', query);
        const [all = 0, ...parts] = answer.values
          .filter(({ segment }) => segment === 0)
          .map(({ value }) => value);
        close(sum(parts), all, 3 * CENT);
        if (figure !== null) close(overview[figure].value, all, CENT);
        close(column(await series(world, chart, today), 0)[0] ?? NaN, all, CENT);
        const months = answer.values.filter((one) => one.segment > 0 && one.measure === 0);
        close(sum(months.map(({ value }) => value)), all, 3 * CENT);
      }
    }
  });

  it('14: neither order nor repetition nor the moments of the rollup matter', async () => {
    const [taken = []] = fc.sample(stepsWithViews, { seed: seed + 1, numRuns: 1 });
    const source = await play(taken.filter((one) => isSaleOrChange(one)));
    await source.rollUp();
    const expected = await chartContents(server, source.projectId);
    const facts = source.sold.map((sale): Sold[] => {
      if ('once' in sale) return [sale, sale];
      const { periods, ...rest } = sale.subscription;
      const begun = { ...sale, subscription: { ...rest, periods: periods.slice(0, 1), importedPeriods: 0 } };
      return [begun, sale, sale];
    });
    for (const order of fc.sample(fc.shuffledSubarray(facts, { minLength: facts.length }), {
      seed,
      numRuns: 2,
    })) {
      const other = await play([]);
      // The last statements of all come in another order again.
      for (const round of [0, 1, 2]) {
        for (const [index, versions] of (round === 1 ? order.toReversed() : order).entries()) {
          const version = versions[Math.min(round, versions.length - 1)];
          if (version) await other.sell(version);
          if ((index * 7 + round) % 5 === 0) await other.rollUp();
        }
      }
      await other.rollUp();
      expect(await chartContents(server, other.projectId)).toEqual(expected);
    }
  });

  it('15: who is erased leaves nothing, and a reversed refund only its two days', async () => {
    const [world] = worlds;
    if (!world) throw new Error('no world');
    await world.rollUp();
    const before = await chartContents(server, world.projectId);
    const start = HISTORY_NOW_MS - 70 * DAY_MS;
    const sold = (reversedAtMs?: number) => ({
      subscription: {
        storeProductId: 'monthly',
        periods: [
          {
            startMs: start,
            endMs: start + 30 * DAY_MS,
            amountMicros: 9_990_000,
            ...(reversedAtMs === undefined
              ? {}
              : {
                  refund: { kind: 'full' as const, atMs: start + 5 * DAY_MS, amountMicros: 9_990_000 },
                  reversedAtMs,
                }),
          },
        ],
      },
    });
    await world.addCustomer('guest', start);
    const id = await world.sell({ customerId: 'guest', ...sold() });
    const query = { resolution: 'day', start_date: '2026-02-01', end_date: '2026-05-13' };
    const answers = async (): Promise<Record<string, unknown>> => {
      const found: Record<string, unknown> = {};
      for (const { id: name } of charts) {
        if (['revenue', 'refunds'].includes(name) || name === 'cohort_explorer') continue;
        found[name] = (await ask(server, world.projectId, name, query)).values;
      }
      return found;
    };
    const unrefundedAnswers = await answers();
    const revenue = async (): Promise<number[]> => column(await series(world, 'revenue', query), 0);
    const plain = await revenue();
    await world.sell({ customerId: 'guest', id, ...sold(start + 7 * DAY_MS) });
    // Windows that end between both days see the refund alone.
    const now = await answers();
    for (const name of [
      'ltv_per_customer',
      'ltv_per_paying_customer',
      'conversion_to_paying',
      'initial_conversion',
    ]) {
      const wide = {
        ...query,
        selectors: name.startsWith('ltv')
          ? { customer_lifetime: '30_days' }
          : { conversion_timeframe: '30_days' },
      };
      now[name] = unrefundedAnswers[name];
      expect((await ask(server, world.projectId, name, wide)).values.length).toBeGreaterThan(0);
    }
    expect(now).toEqual(unrefundedAnswers);
    const reversed = await revenue();
    expect(reversed.filter((value, index) => value !== plain[index])).toHaveLength(2);
    close(sum(reversed), sum(plain), 2 * CENT);
    await world.erase('guest');
    await world.rollUp();
    expect(await chartContents(server, world.projectId)).toEqual(before);
  });

  it('16: what is complete stays as it is while time passes', async () => {
    const query = { resolution: 'month', start_date: '2025-11-01', end_date: '2026-05-13' };
    const complete = async (world: ChartHistory): Promise<Map<string, number>> => {
      const found = new Map<string, number>();
      for (const { id: name, table: form } of charts) {
        if (form !== 'series' || name === 'refund_rate') continue;
        for (const { bucketMs, measure, value, incomplete } of (await series(world, name, query)).values)
          if (!incomplete) found.set(`${name} ${bucketMs} ${measure}`, value);
      }
      return found;
    };
    for (const world of worlds) {
      server.clock.setMs(NOW_MS);
      const before = await complete(world);
      server.clock.setMs(NOW_MS + 45 * DAY_MS);
      await world.rollUp();
      const after = await complete(world);
      expect(before.size).toBeGreaterThan(50);
      expect(Object.fromEntries([...before].map(([key]) => [key, after.get(key)]))).toEqual(
        Object.fromEntries(before),
      );
      server.clock.setMs(NOW_MS);
    }
  });

  it('17: purchases in the sandbox, of family members and by grant change no production chart', async () => {
    const world = await play([]);
    const query = { resolution: 'month', start_date: '2025-11-01', end_date: '2026-05-13' };
    const answers = async (): Promise<unknown[]> => {
      const found = [];
      for (const { id } of charts) found.push((await ask(server, world.projectId, id, query)).values);
      return found;
    };
    const period = {
      startMs: HISTORY_NOW_MS - 40 * DAY_MS,
      endMs: HISTORY_NOW_MS + 20 * DAY_MS,
      amountMicros: 9_990_000,
    };
    const sold = { storeProductId: 'monthly', periods: [period] };
    // An ordinary one, for something to be wrong.
    await world.sell({ customerId: 'ann', subscription: sold });
    server.clock.advanceMs(120_000);
    const before = await answers();
    server.clock.advanceMs(120_000);
    for (const more of [
      { environment: 'sandbox' },
      { ownership: 'family_shared' },
      { store: 'promotional' },
      { store: 'test_store', environment: 'sandbox' },
    ] as const) {
      await world.sell({ customerId: 'ann', subscription: { ...sold, ...more } });
      await world.sell({ customerId: 'eve', subscription: { ...sold, ...more } });
    }
    expect(await answers()).toEqual(before);
    const sandbox = await series(world, 'actives', { ...query, environment: 'sandbox' });
    expect(column(sandbox, 0).at(-1)).toBe(4);
  });

  it('18: viewers of paywalls convert, bounce or cancel, and each counts once in the total', async () => {
    const first = async (
      world: ChartHistory,
      name: string,
      query: Query,
    ): Promise<{ total: number[]; parts: number[][] }> => {
      const answer = await series(world, name, {
        ...whole,
        segment: 'paywall',
        limit_num_segments: '100',
        ...query,
      });
      const [total = [], ...parts] = (answer.segments ?? []).map((_, segment) =>
        answer.measures.map((__, measure) => sum(column(answer, measure, segment))),
      );
      return { total, parts };
    };
    const count = async (
      world: ChartHistory,
      show: string,
    ): Promise<{ total: number[]; parts: number[][] }> =>
      first(world, 'paywall_abandonment', { selectors: { show } });
    let conversions = 0;
    for (const world of worlds) {
      const [converted, abandoned, bounced, cancelled] = [
        await first(world, 'paywall_conversion', {}),
        await count(world, 'abandonment'),
        await count(world, 'bounce'),
        await count(world, 'purchase_cancellation'),
      ];
      conversions += sum(converted.parts.map(([, value = 0]) => value));
      expect(abandoned.parts).toHaveLength(converted.parts.length);
      [converted.total, ...converted.parts].forEach(([viewers = 0, converting = 0], index) => {
        const [left, off, gone] = [abandoned, bounced, cancelled].map(
          ({ total, parts }) => [total, ...parts][index]?.[1] ?? NaN,
        ) as [number, number, number];
        expect(viewers).toBeGreaterThan(0);
        expect(viewers).toBeLessThanOrEqual(converted.total[0] ?? 0);
        expect(converting + left).toBe(viewers);
        expect(off + gone).toBe(left);
      });
      const { total, parts } = await first(world, 'paywall_ltv', {});
      // Nothing goes back in this world, so no conversion has less than nothing.
      if (world === unrefunded)
        expect(sum(parts.map(([, , paid = 0]) => paid))).toBeGreaterThanOrEqual((total[2] ?? 0) - CENT);
    }
    expect(conversions).toBeGreaterThan(0);
  });

  it('19: measures have the names and places that clients look for', async () => {
    const found: Record<string, string[]> = {};
    for (const { id, table: form } of charts) {
      if (form !== 'series' && form !== 'status') continue;
      found[id] = (await series(unrefunded, id, { start_date: '2026-05-13' })).measures.map(
        ({ name }) => name,
      );
    }
    expect(found).toEqual(measureNames);
  });
});
