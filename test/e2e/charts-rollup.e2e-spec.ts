import fc from 'fast-check';
import pg from 'pg';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { usdRate } from '../../libs/money/index.js';
import { ChartHistory, HISTORY_NOW_MS, type Step, steps } from '../support/charts-histories.js';
import { Comparison, question, referenced } from '../support/charts-questions.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
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

const tables = ['chart_facts', 'chart_days', 'chart_customers', 'chart_buyers', 'chart_payers', 'chart_runs'];

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
    const history = await ChartHistory.create(server, `proj${++projects}`);
    await history.play(taken);
    return history;
  }

  async function contents(projectId: string): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const table of tables) {
      const rows = await server.dataSource.query<{ row: string }[]>(
        `SELECT (to_jsonb(t) - 'project_id')::text AS row FROM ${table} t WHERE project_id = $1 ORDER BY 1`,
        [projectId],
      );
      found[table] = rows.map(({ row }) => row);
    }
    return found;
  }

  async function forget(projectId: string): Promise<void> {
    for (const table of [...tables, 'chart_dims']) {
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
      fc.asyncProperty(steps, fc.noBias(questions), async (taken, asked) => {
        const history = await play(taken);
        const { projectId } = history;
        const comparison = new Comparison(server, projectId, rateOf);
        for (const [name, one] of asked.slice(0, 30)) await comparison.compare(name, one);
        await history.rollUp();
        for (const [name, one] of asked.slice(15, 45)) await comparison.compare(name, one);
        server.clock.advanceMs(20 * HOUR_MS);
        for (const [name, one] of asked.slice(45)) await comparison.compare(name, one);
        await history.rollUp();
        const before = await contents(projectId);
        await forget(projectId);
        await history.rollUp();
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
