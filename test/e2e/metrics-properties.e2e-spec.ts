import fc from 'fast-check';
import type { MetricEnvironment } from '../../src/insights/charts/facts/plan-spans.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { MetricsService } from '../../src/insights/metrics/metrics.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { referenceFigures } from '../support/metrics-reference.js';
import {
  sellSubscription,
  type SoldSubscription,
  type SoldOnce,
  sellOnce,
  type SoldPeriod,
} from '../support/sales.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 12;

/** In the middle of a day, so that today and the first of the 28 days are both cut in two. */
const NOON_MS = TEST_START_MS + 11 * HOUR_MS;

/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

/** Products of the random ledgers; the catalog does not know the length of `week` nor anything of `unknown`. */
const durations = { monthly: 'P1M', quarterly: 'P3M', yearly: 'P1Y', weekly: 'P1W', week: null };
const products = [...Object.keys(durations), 'unknown'];

type Sale =
  | { subscription: Omit<SoldSubscription, 'projectId' | 'appId'> }
  | { once: Omit<SoldOnce, 'projectId' | 'appId'> };
type Step =
  | { do: 'sell'; sale: Sale }
  | { do: 'refund'; which: number; kind: 'full' | 'partial' | 'prorated'; hours: number }
  | { do: 'extend'; which: number; hours: number }
  | { do: 'delete'; which: number }
  | { do: 'rollup' }
  | { do: 'wait'; hours: number };

const around = (days: number) => fc.integer({ min: days * 24 - 30, max: Math.min(0, days * 24 + 30) });
/** Often such that something begins or ends today, or at the beginning of the 28 days. */
const hour = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: -90 * 24, max: 0 }) },
  { weight: 2, arbitrary: fc.oneof(around(0), around(-7), around(-14)) },
  { weight: 1, arbitrary: around(-28) },
);
const amount = fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(9_990_000, 5_000, 0, null));
const environment = fc.constantFrom('production' as const, 'sandbox' as const);
const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'XXX');

const seldom = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 7, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const subscriptionSale: fc.Arbitrary<Sale> = fc
  .record({
    environment,
    currency,
    storeProductId: fc.constantFrom(...products),
    store: seldom('app_store' as const, 'promotional' as const),
    ownership: seldom('purchased' as const, 'family_shared' as const),
    start: hour,
    prices: fc.array(amount, { minLength: 1, maxLength: 3 }),
    isTrial: fc.boolean(),
    gapHours: fc.constantFrom(0, 1, -30, 50),
    isEndless: seldom(false, true),
    graceHours: fc.option(fc.integer({ min: 1, max: 200 })),
    replacedHours: seldom(null, -50, 20),
  })
  .map(({ start, prices, isTrial, gapHours, isEndless, graceHours, replacedHours, ...sale }) => {
    let startMs = NOON_MS + start * HOUR_MS;
    const periods = prices.map((amountMicros, index): SoldPeriod => {
      const endMs = startMs + 7 * DAY_MS;
      const kind = isTrial && index === 0 ? 'trial' : 'normal';
      const made = { startMs, endMs, amountMicros, kind, currency: sale.currency } as const;
      startMs = endMs + gapHours * HOUR_MS;
      return made;
    });
    const latest = periods.at(-1);
    const endMs = latest?.endMs ?? 0;
    if (latest && isEndless) latest.endMs = null;
    return {
      subscription: {
        ...sale,
        periods,
        ...(graceHours === null || isEndless ? {} : { graceUntilMs: endMs + graceHours * HOUR_MS }),
        ...(replacedHours === null ? {} : { replacedAtMs: endMs + replacedHours * HOUR_MS }),
      },
    };
  });

const oneTimeSale: fc.Arbitrary<Sale> = fc
  .record({ environment, currency, start: hour, amountMicros: amount })
  .map(({ start, ...sale }) => ({
    once: { ...sale, storeProductId: 'coins', atMs: NOON_MS + start * HOUR_MS },
  }));

const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: subscriptionSale.map((sale) => ({ do: 'sell' as const, sale })) },
  { weight: 3, arbitrary: oneTimeSale.map((sale) => ({ do: 'sell' as const, sale })) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      which,
      kind: fc.constantFrom('full' as const, 'partial' as const, 'prorated' as const),
      hours: fc.integer({ min: 0, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('extend' as const),
      which,
      hours: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 3, arbitrary: fc.constant({ do: 'rollup' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  },
);

describe('metrics', () => {
  let database: TestDatabase;
  let server: TestServer;
  let projects = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url });
  });

  beforeEach(() => server.clock.setMs(NOON_MS));

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  /** A project with the products of the random ledgers. */
  async function createProject(): Promise<{ projectId: string; appId: string }> {
    const projectId = `proj${++projects}`;
    const { dataSource } = server;
    await dataSource.query(`INSERT INTO projects (id, name, created_at) VALUES ($1, $1, now())`, [projectId]);
    await dataSource.query(
      `INSERT INTO apps (project_id, id, type, name, public_key, custom_url_scheme, created_at)
       VALUES ($1, 'app', 'app_store', 'App', $1, $1, now())`,
      [projectId],
    );
    await dataSource.query("INSERT INTO project_anchors VALUES ($1, ''), ($1, 'app')", [projectId]);
    for (const [name, duration] of Object.entries(durations)) {
      await dataSource.query(
        `INSERT INTO products (project_id, id, app_id, store_identifier, type, duration, created_at)
         VALUES ($1, $2, 'app', $2, 'subscription', $3, now())`,
        [projectId, name, duration],
      );
    }
    return { projectId, appId: 'app' };
  }

  const rollUp = (): Promise<void> => server.app.get(ChartsRollupJob).run();
  /** What the product answers, in the form of the reference. */
  async function answers(projectId: string, where: MetricEnvironment) {
    const metrics = server.app.get(MetricsService);
    const overview = await metrics.overview(projectId, where, 'USD');
    const figures = {
      trials: overview.active_trials.value,
      subscriptions: overview.active_subscriptions.value,
      mrr: overview.mrr.value,
      revenue: overview.revenue.value,
      transactions: overview.num_tx_last_28_days.value,
    };
    const of = async (metric: 'active_trials' | 'active_subscriptions' | 'mrr' | 'revenue') =>
      (await metrics.history(projectId, { metric, days: DAYS, environment: where, currency: 'USD' })).values;
    const trials = await of('active_trials');
    const [subscriptions, mrr, revenue] = [
      await of('active_subscriptions'),
      await of('mrr'),
      await of('revenue'),
    ];
    const days = trials.map(({ day, value }, index) => ({
      day,
      trials: value,
      subscriptions: subscriptions[index]?.value,
      mrr: mrr[index]?.value,
      revenue: revenue[index]?.value,
    }));
    return { figures, days };
  }

  /** The same from the slow reference query. */
  async function expected(projectId: string, where: MetricEnvironment) {
    const nowMs = server.clock.nowMs();
    const figures = await referenceFigures(server, projectId, where, { fromMs: nowMs - 28 * DAY_MS, nowMs });
    const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    const days = [];
    for (let dayMs = todayMs - (DAYS - 1) * DAY_MS; dayMs <= todayMs; dayMs += DAY_MS) {
      const window = { fromMs: dayMs, nowMs: Math.min(dayMs + DAY_MS - 1, nowMs) };
      const { trials, subscriptions, mrr, revenue } = await referenceFigures(
        server,
        projectId,
        where,
        window,
      );
      days.push({ day: new Date(dayMs).toISOString().slice(0, 10), trials, subscriptions, mrr, revenue });
    }
    return { figures, days };
  }

  async function check(projectId: string): Promise<void> {
    for (const where of ['production', 'sandbox'] as const) {
      expect(await answers(projectId, where)).toEqual(await expected(projectId, where));
    }
  }

  /** Nothing is refunded in the future, unless it was paid there. */
  const refundedAt = (paidAtMs: number, hours: number): number =>
    Math.max(paidAtMs, Math.min(paidAtMs + hours * HOUR_MS, server.clock.nowMs()));

  async function run(steps: Step[]): Promise<string> {
    const project = await createProject();
    const { projectId } = project;
    const sold: (Sale & { id: string })[] = [];
    const sell = (sale: Sale, id?: string): Promise<string> =>
      'subscription' in sale
        ? sellSubscription(server, { ...project, ...sale.subscription, id })
        : sellOnce(server, { ...project, ...sale.once, id });
    // Sales change during the run, so the story is copied to be replayed.
    for (const taken of structuredClone(steps)) {
      const target = 'which' in taken ? sold[taken.which % Math.max(1, sold.length)] : undefined;
      if (taken.do === 'sell') sold.push({ ...taken.sale, id: await sell(taken.sale) });
      if (taken.do === 'rollup') await rollUp();
      if (taken.do === 'wait') server.clock.advanceMs(taken.hours * HOUR_MS);
      if (!target) continue;
      if (taken.do === 'delete') {
        sold.splice(sold.indexOf(target), 1);
        for (const [table, column] of [
          ['subscriptions', 'id'],
          ['one_time_purchases', 'id'],
          ['store_transactions', 'coalesce(subscription_id, purchase_id)'],
        ]) {
          const sql = `DELETE FROM ${table} WHERE project_id = $1 AND ${column} = $2`;
          await server.dataSource.query(sql, [projectId, target.id]);
        }
      } else if (taken.do === 'refund' && 'once' in target) {
        target.once.refundAtMs = refundedAt(target.once.atMs, taken.hours);
        await sell(target, target.id);
      } else if ('subscription' in target) {
        const period =
          target.subscription.periods[
            taken.do === 'refund'
              ? taken.which % target.subscription.periods.length
              : target.subscription.periods.length - 1
          ];
        if (!period) continue;
        if (taken.do === 'extend' && period.endMs !== null) period.endMs += taken.hours * HOUR_MS;
        if (
          taken.do === 'refund' &&
          !period.refund &&
          period.amountMicros !== null &&
          period.kind !== 'trial'
        ) {
          const part = taken.kind === 'full' ? 1 : 0.5;
          period.refund = {
            kind: taken.kind,
            atMs: refundedAt(period.startMs, taken.hours),
            amountMicros:
              target.subscription.ownership === 'family_shared' ? 0 : Math.round(period.amountMicros * part),
          };
        }
        await sell(target, target.id);
      }
    }
    return projectId;
  }

  it(`answers what the slow reference query does, before and after each rollup (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(fc.noBias(steps), async (taken) => {
        server.clock.setMs(NOON_MS);
        const projectId = await run(taken);
        await check(projectId);
        await rollUp();
        await check(projectId);
        // Later on the same day, and on the next one.
        server.clock.advanceMs(9 * HOUR_MS);
        await check(projectId);
        server.clock.advanceMs(9 * HOUR_MS);
        await check(projectId);
      }),
      { seed, numRuns: 5, endOnFailure: true },
    );
  });

  it('adds the amounts that an older server leaves out of the facts', async () => {
    const project = await createProject();
    const { projectId } = project;
    const startMs = NOON_MS - 10 * DAY_MS;
    const endMs = startMs + 365 * DAY_MS;
    // Three times 10.00 a year, each 0.8333… a month.
    for (let sale = 0; sale < 3; sale++) {
      const periods = [{ startMs, endMs, amountMicros: 10_000_000 }];
      await sellSubscription(server, { ...project, storeProductId: 'yearly', periods });
    }
    await rollUp();
    const amounts = async () => {
      const [row] = await server.dataSource.query<object[]>(
        `SELECT has_exact_facts AS "isExact",
           (SELECT sum(abs(monthly_fraction))::int FROM chart_facts WHERE project_id = $1) AS facts,
           (SELECT sum(abs(monthly_fraction))::int FROM chart_days WHERE project_id = $1 AND level = 'all') AS days
         FROM chart_projects WHERE project_id = $1`,
        [projectId],
      );
      return row;
    };
    const exact = await amounts();
    expect(exact).toEqual({ isExact: true, facts: 6 * 240_240, days: 3 * 240_240 });
    const older = server.dataSource.createQueryRunner();
    for (const sql of [
      `CREATE TEMP TABLE written AS SELECT * FROM chart_facts WHERE project_id = '${projectId}'`,
      'UPDATE written SET monthly_fraction = NULL',
      `DELETE FROM chart_facts WHERE project_id = '${projectId}'`,
      'INSERT INTO chart_facts SELECT * FROM written',
      'DROP TABLE written',
    ]) {
      await older.query(sql);
    }
    await older.release();
    expect(await amounts()).toMatchObject({ isExact: false, facts: null });
    await rollUp();
    expect(await amounts()).toEqual(exact);
    await check(projectId);
  });

  it('says how far answers go when more is marked than they can take into account', async () => {
    const { projectId } = await createProject();
    const mark = (count: number, atMs: number) =>
      server.dataSource.query(
        `INSERT INTO chart_changes (project_id, purchase_id, changed_at)
         SELECT $1, 'sub_' || n, $3 FROM generate_series(1, $2::int) n`,
        [projectId, count, new Date(atMs)],
      );
    const updatedAt = async () => {
      const { mrr, new_customers } = await server.app
        .get(MetricsService)
        .overview(projectId, 'production', 'USD');
      return [mrr.updatedAtMs, new_customers.updatedAtMs].map((ms) => ms - NOON_MS);
    };
    expect(await updatedAt()).toEqual([0, 0]);
    await mark(501, NOON_MS - 20_000);
    expect(await updatedAt()).toEqual([-20_000, 0]);
    await rollUp();
    expect(await updatedAt()).toEqual([0, 0]);
  });
});
