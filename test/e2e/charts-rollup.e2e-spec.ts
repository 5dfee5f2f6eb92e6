import fc from 'fast-check';
import { CustomerMergeRepository } from '../../src/customers/customers/customer-merge.repository.js';
import { charts } from '../../src/insights/charts/definitions/charts.js';
import { lastDayOf, windows } from '../../src/insights/charts/definitions/windows.js';
import { bucketsBetween, nextBucket } from '../../src/insights/charts/question/buckets.js';
import { wireValue } from '../../src/insights/charts/question/currencies.js';
import { ChartQuery } from '../../src/insights/charts/question/charts.query.js';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { ChartsService } from '../../src/insights/charts/answers/charts.service.js';
import { ChartQuestionsService } from '../../src/insights/charts/routes/chart-questions.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { readQuery } from '../../src/platform/http/query-parameters.js';
import { referenceChart } from '../support/charts-reference.js';
import { addCustomer } from '../support/charts-world.js';
import {
  sellOnce,
  sellSubscription,
  type SoldOnce,
  type SoldPeriod,
  type SoldSubscription,
} from '../support/sales.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

const durations = { monthly: 'P1M', yearly: 'P1Y', weekly: 'P1W', week: null };
const people = ['ann', 'bob', 'cem', 'dia', 'eve'];

type Sale =
  | { subscription: Omit<SoldSubscription, 'projectId' | 'appId'> }
  | { once: Omit<SoldOnce, 'projectId' | 'appId'> };
type Step =
  | { do: 'sell'; sale: Sale; who: number }
  | { do: 'refund'; which: number; kind: 'full' | 'partial'; hours: number; isReversed: boolean }
  | { do: 'renew'; which: number; product: string; gap: number }
  | { do: 'move' | 'merge'; which: number; who: number }
  | { do: 'erase'; who: number }
  | { do: 'duration'; product: string; duration: string }
  | { do: 'rollup' }
  | { do: 'wait'; hours: number };

const product = fc.constantFrom(...Object.keys(durations));
const store = fc.constantFrom('app_store' as const, 'play_store' as const);
const amount = fc.oneof(fc.integer({ min: 1, max: 100_000_000 }), fc.constantFrom(9_990_000, 0, null));
const gap = fc.constantFrom(0, 0, 0, -30, 1, 50, 400);
const which = fc.nat(20);

const subscriptionSale = fc
  .record({
    environment: fc.constantFrom('production' as const, 'production' as const, 'sandbox' as const),
    currency: fc.constantFrom('USD', 'EUR'),
    store,
    storeProductId: product,
    ownership: fc.constantFrom('purchased' as const, 'purchased' as const, 'family_shared' as const),
    start: fc.integer({ min: -150 * 24, max: 24 }),
    periods: fc.array(fc.record({ amountMicros: amount, product, gap, days: fc.constantFrom(7, 30, 31) }), {
      minLength: 1,
      maxLength: 5,
    }),
    first: fc.constantFrom('normal' as const, 'trial' as const, 'intro' as const),
    graceHours: fc.option(fc.integer({ min: 1, max: 200 })),
    isCancelled: fc.boolean(),
    changesProduct: fc.boolean(),
  })
  .map(({ start, periods, first, graceHours, changesProduct, currency, ...sale }): Sale => {
    let startMs = NOW_MS + start * HOUR_MS;
    const sold = periods.map((period, index): SoldPeriod => {
      const endMs = startMs + period.days * DAY_MS;
      const kind = index === 0 ? first : 'normal';
      const made: SoldPeriod = { startMs, endMs, kind, currency, amountMicros: period.amountMicros };
      if (changesProduct) made.storeProductId = period.product;
      startMs = endMs + period.gap * HOUR_MS;
      return made;
    });
    const graceUntilMs = (sold.at(-1)?.endMs ?? 0) + (graceHours ?? 0) * HOUR_MS;
    return {
      subscription: {
        ...sale,
        periods: sold,
        ...(graceHours === null ? {} : { graceUntilMs, isCancelled: false }),
      },
    };
  });

const oneTimeSale = fc
  .record({ start: fc.integer({ min: -150 * 24, max: 0 }), amountMicros: amount, store })
  .map(({ start, ...sale }): Sale => ({
    once: { ...sale, storeProductId: 'coins', atMs: NOW_MS + start * HOUR_MS },
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('sell' as const), who: which, sale: subscriptionSale }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), who: which, sale: oneTimeSale }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      which,
      kind: fc.constantFrom('full' as const, 'partial' as const),
      hours: fc.integer({ min: 0, max: 900 }),
      isReversed: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('renew' as const), which, product, gap }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('move' as const, 'merge' as const), which, who: which }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), who: which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('duration' as const),
      product,
      duration: fc.constantFrom('P1M', 'P3M'),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'rollup' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
);

const referenced = [
  'revenue',
  'refunds',
  'refund_rate',
  'non-subscription_purchases',
  'mrr',
  'mrr_movement',
  'actives',
  'actives_movement',
  'actives_new',
  'churn',
  'trials',
  'trials_movement',
  'trial_conversion_rate',
  'customers_new',
  'conversion_to_paying',
  'initial_conversion',
  'ltv_per_paying_customer',
];

/** Filters and segments of the questions, with the name that the reference has for them. */
const splits = {
  store: ['app_store', 'play_store'],
  country: ['US', 'DE', ''],
  platform: ['iOS', 'Android', ''],
  subscription_type: ['new', 'product_change', 'resubscription'],
  transaction_type: ['New', 'Renewal'],
  renewal_cycle: ['trial', '1', '2', '3', '5+'],
  channel: ['Subscriptions', 'Non-subscription'],
} as const;
type Split = keyof typeof splits;

const question = fc.record({
  resolution: fc.constantFrom('day', 'week', 'month', 'quarter'),
  startDays: fc.integer({ min: 0, max: 160 }),
  days: fc.integer({ min: 0, max: 120 }),
  filter: fc.option(fc.constantFrom(...(Object.keys(splits) as Split[]))),
  other: fc.option(fc.constantFrom(...(Object.keys(splits) as Split[]))),
  value: fc.nat(4),
  segment: fc.option(fc.constantFrom(...(Object.keys(splits) as Split[]))),
  window: fc.constantFrom('0_days', '7_days', '30_days', 'unbounded'),
});
type Asked = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

describe('the rollup of charts', () => {
  let server: TestServer;
  let projects = 0;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  const rollUp = (): Promise<void> => server.app.get(ChartsRollupJob).run();

  async function createProject(): Promise<string> {
    const projectId = `proj${++projects}`;
    const { dataSource } = server;
    await dataSource.query(`INSERT INTO projects (id, name, created_at) VALUES ($1, $1, now())`, [projectId]);
    await dataSource.query(
      `INSERT INTO apps (project_id, id, type, name, public_key, custom_url_scheme, created_at)
       VALUES ($1, 'app', 'app_store', 'App', $1, $1, now())`,
      [projectId],
    );
    for (const [name, duration] of Object.entries(durations)) {
      await dataSource.query(
        `INSERT INTO products (project_id, id, app_id, store_identifier, type, duration, created_at)
         VALUES ($1, $2, 'app', $2, 'subscription', $3, now())`,
        [projectId, name, duration],
      );
    }
    for (const [index, id] of people.entries()) {
      const country = ['US', 'DE', null][index % 3] ?? null;
      await addCustomer(server, projectId, { id, seenMs: NOW_MS - index * 23 * DAY_MS, country });
    }
    await dataSource.query(
      `UPDATE customers SET first_seen_platform = CASE WHEN id < 'c' THEN 'iOS' WHEN id < 'e' THEN 'Android' END
       WHERE project_id = $1`,
      [projectId],
    );
    return projectId;
  }

  type Sold = Sale & { id: string; customerId: string };

  async function run(steps: Step[]): Promise<string> {
    const projectId = await createProject();
    const { dataSource } = server;
    const sold: Sold[] = [];
    let present = [...people];
    const sell = (sale: Sale & { id?: string; customerId: string }): Promise<string> => {
      const { id, customerId } = sale;
      const place = { projectId, appId: 'app', customerId, ...(id === undefined ? {} : { id }) };
      return 'subscription' in sale
        ? sellSubscription(server, { ...place, ...sale.subscription })
        : sellOnce(server, { ...place, ...sale.once });
    };
    const own = async (id: string, customerId: string): Promise<void> => {
      for (const [table, column] of [
        ['subscriptions', 'id'],
        ['one_time_purchases', 'id'],
        ['store_transactions', 'coalesce(subscription_id, purchase_id)'],
      ]) {
        const sql = `UPDATE ${table} SET customer_id = $3 WHERE project_id = $1 AND ${column} = $2`;
        await dataSource.query(sql, [projectId, id, customerId]);
      }
    };
    for (const taken of structuredClone(steps)) {
      const who = 'who' in taken ? present[taken.who % present.length] : undefined;
      const target = 'which' in taken ? sold[taken.which % Math.max(1, sold.length)] : undefined;
      if (taken.do === 'sell' && who) {
        const made = { ...taken.sale, customerId: who };
        sold.push({ ...made, id: await sell(made) });
      }
      if (taken.do === 'rollup') await rollUp();
      if (taken.do === 'wait') server.clock.advanceMs(taken.hours * HOUR_MS);
      if (taken.do === 'duration') {
        const sql = 'UPDATE products SET duration = $3 WHERE project_id = $1 AND id = $2';
        await dataSource.query(sql, [projectId, taken.product, taken.duration]);
        await dataSource.query('UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1', [
          projectId,
        ]);
        await rollUp();
      }
      if (taken.do === 'erase' && who && present.length > 2) {
        for (const table of ['subscriptions', 'one_time_purchases', 'store_transactions']) {
          await dataSource.query(`DELETE FROM ${table} WHERE project_id = $1 AND customer_id = $2`, [
            projectId,
            who,
          ]);
        }
        await dataSource.query('DELETE FROM customers WHERE project_id = $1 AND id = $2', [projectId, who]);
        present = present.filter((name) => name !== who);
        sold.splice(0, sold.length, ...sold.filter(({ customerId }) => customerId !== who));
      }
      if (!target) continue;
      if (taken.do === 'move' && who) {
        await own(target.id, who);
        target.customerId = who;
      } else if (taken.do === 'merge' && who && who !== target.customerId) {
        const gone = target.customerId;
        await server.app
          .get(DatabaseService)
          .transaction((tx) =>
            server.app.get(CustomerMergeRepository, { strict: false }).merge(tx, projectId, gone, who),
          );
        present = present.filter((name) => name !== gone);
        for (const sale of sold) if (sale.customerId === gone) sale.customerId = who;
      } else if (taken.do === 'refund') {
        if ('once' in target) target.once.refundAtMs = target.once.atMs + taken.hours * HOUR_MS;
        else {
          const { periods, ownership } = target.subscription;
          const period = periods[taken.which % periods.length];
          if (!period || period.refund || period.amountMicros === null || period.kind === 'trial') continue;
          if (ownership === 'family_shared' || period.amountMicros === 0) continue;
          const part = taken.kind === 'full' ? 1 : 0.5;
          const atMs = period.startMs + taken.hours * HOUR_MS;
          period.refund = { kind: taken.kind, atMs, amountMicros: Math.round(period.amountMicros * part) };
          if (taken.isReversed) period.reversedAtMs = atMs + DAY_MS;
        }
        await sell(target);
      } else if (taken.do === 'renew' && 'subscription' in target) {
        const { periods } = target.subscription;
        const last = periods.at(-1);
        if (!last || last.endMs === null || periods.length > 6) continue;
        const startMs = last.endMs + taken.gap * HOUR_MS;
        periods.push({
          ...last,
          refund: undefined,
          reversedAtMs: undefined,
          kind: 'normal',
          amountMicros: 9_990_000,
          startMs,
          endMs: startMs + 30 * DAY_MS,
          storeProductId: taken.product,
        });
        await sell(target);
      }
    }
    return projectId;
  }

  async function check(projectId: string, name: string, asked: Asked): Promise<void> {
    const chart = charts.find(({ id }) => id === name);
    if (chart?.table !== 'series') throw new Error(name);
    const nowMs = server.clock.nowMs();
    const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS - asked.startDays * DAY_MS;
    const endMs = startMs + asked.days * DAY_MS;
    const date = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const usable = (split: Split | null, list: readonly string[]): Split | null =>
      split !== null && list.includes(split) ? split : null;
    const filters = new Map<string, string[]>();
    for (const filter of [asked.filter, asked.other]) {
      const known = usable(filter, chart.filters);
      const value = known === null ? undefined : splits[known][asked.value % splits[known].length];
      if (known !== null && value !== undefined) filters.set(known, [value]);
    }
    const segment = usable(asked.segment, chart.segments);
    const selector = chart.selectors.find(({ id }) => id.includes('timeframe') || id.includes('lifetime'));
    const window = selector?.options.find(({ id }) => id === asked.window) ?? selector?.options[0];
    const query = readQuery(ChartQuery, {
      resolution: asked.resolution,
      start_date: date(startMs),
      end_date: date(endMs),
      filters: JSON.stringify([...filters].map(([id, values]) => ({ name: id, values }))),
      limit_num_segments: '100',
      ...(selector && window ? { selectors: JSON.stringify({ [selector.id]: window.id }) } : {}),
      ...(segment === null ? {} : { segment }),
    });
    const read = await server.app.get(ChartQuestionsService).read(projectId, name, query);
    const answer = await server.app.get(ChartsService).answer(read);
    if (answer.form !== 'series') throw new Error(name);
    const labels = bucketsBetween(startMs, Math.min(endMs, nowMs), read.calendar);
    const buckets = labels.map((label) => ({
      label,
      from: Math.max(label, startMs),
      to: Math.min(nextBucket(label, read.calendar), endMs + DAY_MS),
    }));
    const windowLast = windows.find(({ id }) => id === window?.id);
    const ofCohort = chart.time === 'cohort' || chart.id === 'customers_new';
    const reference = async (passes: (dims: Record<string, string>) => boolean): Promise<number[][]> => {
      const values = await referenceChart(server, projectId, 'production', {
        chart: name,
        buckets,
        now: nowMs,
        passes,
        ...(windowLast ? { window: { last: (day) => lastDayOf(windowLast, day) ?? Infinity } } : {}),
      });
      return values.map((row) =>
        row.map((value, index) => wireValue(value, answer.measures[index]?.unit ?? '#', 'USD')),
      );
    };
    const filtered = (dims: Record<string, string>): boolean =>
      [...filters].every(([id, values]) => values.includes(dims[id] ?? ''));
    // Filters by a customer's own dimensions leave the other customers out of the cohort.
    if (ofCohort && chart.time === 'cohort' && (filters.size > 0 || segment !== null)) return;
    const width = name === 'refunds' ? 1 : answer.measures.length;
    const rowsOf = (index: number): number[][] =>
      labels.map((bucketMs) =>
        answer.values
          .filter((value) => value.bucketMs === bucketMs && value.segment === index && value.measure < width)
          .map(({ value }) => value),
      );
    const context = {
      name,
      filters: [...filters],
      segment,
      resolution: asked.resolution,
      from: date(startMs),
      to: date(endMs),
    };
    expect({ ...context, rows: rowsOf(0) }).toEqual({ ...context, rows: await reference(filtered) });
    for (const [index, found] of (answer.segments ?? []).entries()) {
      if (found.isTotal || found.isOther || segment === null) continue;
      const rows = await reference((dims) => filtered(dims) && (dims[segment] ?? '') === found.id);
      expect({ ...context, of: found.id, rows: rowsOf(index) }).toEqual({ ...context, of: found.id, rows });
    }
  }

  const tables = [
    'chart_facts',
    'chart_days',
    'chart_customers',
    'chart_buyers',
    'chart_payers',
    'chart_runs',
  ];

  async function contents(projectId: string): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const table of tables) {
      const rows = await server.dataSource.query<{ row: string }[]>(
        `SELECT to_json(t)::text AS row FROM ${table} t WHERE project_id = $1 ORDER BY 1`,
        [projectId],
      );
      found[table] = rows.map(({ row }) => row);
    }
    return found;
  }

  it(`answers what the slow reference does, and a rebuild changes nothing (seed ${seed})`, async () => {
    const steps = fc.array(step, { minLength: 15, maxLength: 35, size: 'max' });
    const questions = fc.array(fc.tuple(fc.constantFrom(...referenced), question), {
      minLength: 40,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.noBias(steps), fc.noBias(questions), async (taken, asked) => {
        server.clock.setMs(NOW_MS);
        const projectId = await run(taken);
        for (const [name, one] of asked.slice(0, 20)) await check(projectId, name, one);
        await rollUp();
        for (const [name, one] of asked.slice(10, 30)) await check(projectId, name, one);
        server.clock.advanceMs(20 * HOUR_MS);
        for (const [name, one] of asked.slice(30)) await check(projectId, name, one);
        await rollUp();
        const before = await contents(projectId);
        for (const table of [...tables, 'chart_dims']) {
          await server.dataSource.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
        }
        await server.dataSource.query('UPDATE chart_projects SET closed_until = NULL WHERE project_id = $1', [
          projectId,
        ]);
        await server.app.get(ChartRollupService).rebuild(projectId);
        await rollUp();
        expect(await contents(projectId)).toEqual(before);
      }),
      {
        seed,
        numRuns: 6,
        interruptAfterTimeLimit: 60_000,
        markInterruptAsFailure: false,
        endOnFailure: true,
      },
    );
  });
});
