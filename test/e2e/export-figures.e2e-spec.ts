import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { ManualClock } from '../../libs/kernel/index.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { signUp, type SignedUp } from '../support/arrange.js';
import { addFixtureRows } from '../support/exports/report-rows.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { sellSubscription, type SoldSubscription } from '../support/sales.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-05-10T12:00:00Z');
const FIRST_DAY = '2026-02-01';
const LAST_DAY = '2026-05-09';

/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

/** The vendor's filter: what counts as paid. */
const paid = `NOT is_trial_period AND NOT is_sandbox AND ownership_type <> 'FAMILY_SHARED' AND store <> 'promotional'`;
/** Subscriptions that are active at a time. */
const activeAt = (time: string): string =>
  `${paid} AND end_time IS NOT NULL AND start_time <= ${time} AND effective_end_time > ${time}`;
/** A month's share of a price, by the length of the product or else of the period. */
const monthly = (price: string): string => `${price} / CASE
  WHEN product_duration = 'P1Y' THEN 12
  WHEN product_duration = 'P1W' THEN 0.25
  WHEN product_duration = 'P1M' OR date_diff('day', start_time, end_time) BETWEEN 28 AND 31 THEN 1 END`;

const lengths = { P1M: 30 * DAY_MS, P1Y: 365 * DAY_MS, P1W: 7 * DAY_MS } as const;
const duration = fc.constantFrom(...(Object.keys(lengths) as (keyof typeof lengths)[]));

/** Without partial refunds: they reduce MRR in the file, but not in charts. */
const sale = fc
  .record({
    environment: fc.constantFrom('production', 'production', 'production', 'sandbox'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    store: fc.constantFrom('app_store', 'play_store', 'stripe'),
    ownership: fc.constantFrom('purchased', 'purchased', 'purchased', 'family_shared'),
    storeProductId: duration,
    first: fc.constantFrom('normal', 'trial', 'intro'),
    startHours: fc.integer({ min: -120 * 24, max: 0 }),
    prices: fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 5 }),
    graceHours: fc.option(fc.integer({ min: 1, max: 200 })),
    refundHours: fc.option(fc.integer({ min: 1, max: 600 })),
  })
  .map(({ first, startHours, prices, graceHours, refundHours, currency, ...rest }) => {
    const lengthMs = lengths[rest.storeProductId];
    // Nothing happens at midnight, which charts count to the next day.
    const startMs = NOW_MS + startHours * HOUR_MS - HOUR_MS / 2;
    const periods: SoldSubscription['periods'] = prices
      .map((amountMicros, index) => ({
        startMs: startMs + index * lengthMs,
        endMs: startMs + (index + 1) * lengthMs,
        kind: index === 0 ? first : ('normal' as const),
        amountMicros,
        currency,
      }))
      .filter((period) => period.startMs <= NOW_MS);
    const last = periods.at(-1);
    const refundedAtMs = (last?.startMs ?? 0) + (refundHours ?? 0) * HOUR_MS;
    if (
      last &&
      last.kind !== 'trial' &&
      refundHours !== null &&
      refundedAtMs < Math.min(NOW_MS, last.endMs ?? 0)
    )
      last.refund = { kind: 'full', atMs: refundedAtMs, amountMicros: last.amountMicros };
    else if (last && graceHours !== null)
      return { ...rest, periods, graceUntilMs: (last.endMs ?? 0) + graceHours * HOUR_MS };
    return { ...rest, periods };
  });

describe('the transactions file, asked as the vendor does', () => {
  let server: TestServer;
  let folder: string;
  let duckdb: DuckDBConnection;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(NOW_MS),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
    folder = await mkdtemp(join(tmpdir(), 'tenure-figures-'));
    duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    await duckdb.run("SET TimeZone = 'UTC'");
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const rowsOf = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();

  /** Loads the file of a project into DuckDB, and returns how to name it. */
  async function load({ projectId, session }: SignedUp): Promise<string> {
    const query = 'dataset=transactions&environment=all&spreadsheet_safe=false&format=parquet';
    const answer = await session.open(`/v2/projects/${projectId}/integrations/exports/download?${query}`);
    const file = join(folder, `${projectId}.parquet`);
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    return `'${file}'`;
  }

  it('has the active subscriptions and MRR of the fixture', async () => {
    const owner = await signUp(server);
    await addFixtureRows(server.dataSource, owner.projectId);
    const file = await load(owner);
    const days = ['2026-01-31', '2026-02-09', '2026-02-28'].map((day) => `TIMESTAMPTZ '${day}'`);
    const found = await Promise.all(
      days.map((day) =>
        rowsOf(
          `SELECT count(*)::int AS actives, round(sum(${monthly('price_in_usd')}), 2)::double AS mrr FROM ${file} WHERE ${activeAt(day)}`,
        ),
      ),
    );
    expect(found.flat()).toEqual([
      { actives: 6, mrr: 34.07 },
      { actives: 4, mrr: 19.5 },
      { actives: 2, mrr: 31 },
    ]);
  });

  it(`has the active subscriptions, MRR and revenue of the charts, to the cent (seed ${seed})`, async () => {
    const owner = await signUp(server);
    const { projectId, session } = owner;
    const path = `/v2/projects/${projectId}`;
    const { body: app } = await session.post(`${path}/apps`, {
      name: 'App',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.figures' },
    });
    for (const name of Object.keys(lengths)) {
      const { status } = await session.post(`${path}/products`, {
        store_identifier: name,
        app_id: app.id,
        type: 'subscription',
        subscription: { duration: name },
      });
      expect(status).toBe(201);
    }
    for (const sold of fc.sample(sale, { seed, numRuns: 200 }))
      await sellSubscription(server, { ...sold, projectId, appId: app.id });
    await session.get(`${path}/integrations/exports/download?dataset=transactions`);
    await rollUpReports(server);
    await server.app.get(ChartsRollupJob).run();
    const file = await load(owner);
    // In the file, a refund counts from the start of its period; in charts, from its own time.
    const ofDays = await rowsOf(
      `SELECT strftime(day, '%Y-%m-%d') AS day, count(t.start_time)::int AS actives,
         coalesce(round(sum(${monthly('purchase_price_in_usd')}), 2), 0)::double AS mrr
       FROM generate_series(TIMESTAMPTZ '${FIRST_DAY}', TIMESTAMPTZ '${LAST_DAY}', INTERVAL 1 DAY) AS d (day)
       LEFT JOIN ${file} t ON ${activeAt("d.day + INTERVAL '1 day'")} GROUP BY day ORDER BY day`,
    );
    const [revenue] = await rowsOf(
      `SELECT round(sum(price_in_usd), 2)::double AS total FROM ${file} WHERE ${paid}`,
    );
    const chart = async (name: string): Promise<[string, number][]> => {
      const query = `start_date=${FIRST_DAY}&end_date=${LAST_DAY}&resolution=0`;
      const { status, body } = await session.get(`${path}/charts/${name}?${query}`);
      expect(status).toBe(200);
      return body.values
        .filter(({ measure }: { measure: number }) => measure === 0)
        .map(({ cohort, value }: { cohort: number; value: number }) => [
          new Date(cohort * 1_000).toISOString().slice(0, 10),
          value,
        ]);
    };
    expect(ofDays.map(({ day, actives }) => [day, actives])).toEqual(await chart('actives'));
    expect(ofDays.map(({ day, mrr }) => [day, mrr])).toEqual(await chart('mrr'));
    const everything = `start_date=2026-01-01&end_date=2026-05-10&aggregate=total`;
    const { body } = await session.get(`${path}/charts/revenue?${everything}`);
    expect(body.summary.total.Revenue).toBe(revenue?.total);
  });
});
