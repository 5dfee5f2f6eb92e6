import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hashOf, storedQuestion } from '../../src/insights/charts/background/stored-question.js';
import { ChartQuery } from '../../src/insights/charts/question/charts.query.js';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { ChartQuestionsService } from '../../src/insights/charts/routes/chart-questions.service.js';
import { readQuery } from '../../src/platform/http/lists/query-parameters.js';
import { changeProducts } from '../support/catalog-changes.js';
import { addCustomer } from '../support/charts-world.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { isPgBouncerInstalled, startPgBouncer } from '../support/database/pgbouncer.mjs';
import { sellSubscription } from '../support/sales.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const CUSTOMERS = 40;
const projects = ['proj1', 'proj2', 'proj3'];
const durations = { monthly: 'P1M', weekly: 'P1W', 'google:base': 'P1M' };
const tables = [
  'chart_facts',
  'chart_days',
  'chart_customers',
  'chart_buyers',
  'chart_payers',
  'chart_runs',
  'chart_cohort_counts',
  'chart_cohort_money',
  'chart_cohort_days',
  'chart_cohort_sums',
];

const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  const endMs = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > endMs) throw new Error(`${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('the rollup of charts in several processes', () => {
  let database: TestDatabase;
  let server: TestServer;
  let client: pg.Client;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({ databaseUrl: database.url });
    server.clock.setMs(Date.now());
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    folder = await mkdtemp(join(tmpdir(), 'tenure-charts-'));
    // PgBouncer runs as another user.
    await chmod(folder, 0o755);
    for (const projectId of projects) await arrange(projectId);
  });

  afterAll(async () => {
    await client.end();
    await server.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function arrange(projectId: string): Promise<void> {
    await client.query('INSERT INTO projects (id, name, created_at) VALUES ($1, $1, now())', [projectId]);
    await client.query(
      `INSERT INTO apps (project_id, id, type, name, public_key, custom_url_scheme, created_at)
       VALUES ($1, 'app', 'app_store', 'App', $1, $1, now())`,
      [projectId],
    );
    await client.query("INSERT INTO project_anchors VALUES ($1, ''), ($1, 'app')", [projectId]);
    for (const [name, duration] of Object.entries(durations)) {
      await client.query(
        `INSERT INTO products (project_id, id, app_id, store_identifier, type, duration, created_at)
         VALUES ($1, $2, 'app', $2, 'subscription', $3, now())`,
        [projectId, name, duration],
      );
    }
    const names = Object.keys(durations);
    for (let index = 0; index < CUSTOMERS; index++) {
      const customerId = `cus${index}`;
      const seenMs = Date.now() - (index + 100) * DAY_MS;
      await addCustomer(server, projectId, {
        id: customerId,
        seenMs,
        country: ['US', 'DE'][index % 2] ?? null,
      });
      const [storeProductId = '', planId = null] = (names[index % names.length] ?? '').split(':');
      const periods = [0, 1, 2].map((place) => ({
        startMs: seenMs + place * 30 * DAY_MS,
        endMs: seenMs + (place + 1) * 30 * DAY_MS,
        amountMicros: 9_990_000,
      }));
      await sellSubscription(server, {
        projectId,
        appId: 'app',
        customerId,
        storeProductId,
        planId,
        periods,
      });
    }
  }

  const start = (url: string): Promise<ServerProcess> =>
    startServerProcess(url, {
      ...databaseSettings(database.url),
      DATABASE_URL: url,
      SERVICE_DATABASE_DIRECT_URL: database.url,
      SERVICE_DATABASE_NAMED_STATEMENTS: undefined,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
    });

  const one = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row> =>
    (await client.query<Row>(sql, values)).rows[0] as Row;
  const counts = (): Promise<{ marks: number; facts: number; days: number }> =>
    one(`SELECT (SELECT count(*)::int FROM chart_changes) AS marks, (SELECT count(*)::int FROM chart_facts) AS facts,
      (SELECT count(*)::int FROM chart_dirty_days) + (SELECT count(*)::int FROM projects p
        LEFT JOIN chart_projects c ON c.project_id = p.id WHERE c.closed_until IS NULL) AS days`);
  const isDone = async (): Promise<boolean> => {
    const { marks, days } = await counts();
    return marks + days === 0;
  };

  async function contents(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const table of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT to_json(t)::text AS row FROM ${table} t ORDER BY 1`,
      );
      found[table] = rows.map(({ row }) => row);
    }
    return found;
  }

  it('leaves all of a batch to two others when killed in the middle of it', async () => {
    const before = await counts();
    expect(before).toEqual({ marks: expect.any(Number), facts: 0, days: projects.length });
    // A batch writes its facts, then waits here.
    await client.query('BEGIN');
    await client.query('LOCK TABLE chart_runs IN SHARE MODE');
    const killed = await start(database.url);
    const isStuck = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'chart_runs'::regclass AND NOT granted) AS stuck`;
    await until('a batch', async () => (await one<{ stuck: boolean }>(isStuck)).stuck);
    process.kill(killed.pid, 'SIGKILL');
    await client.query('COMMIT');
    await until('the end of its transaction', async () => {
      const { held } = await one<{ held: number }>(
        `SELECT count(*)::int AS held FROM pg_locks WHERE relation = 'chart_facts'::regclass AND mode = 'RowExclusiveLock'`,
      );
      return held === 0;
    });
    // A killed process may have committed only whole batches.
    const after = await counts();
    const { projects: left } = await one<{ projects: number }>(
      'SELECT count(DISTINCT project_id)::int AS projects FROM chart_changes',
    );
    expect(left).toBe(projects.length);
    expect(after).toEqual(before);

    const pooler = isPgBouncerInstalled() ? await startPgBouncer(folder, database.url) : null;
    const url = new URL(database.url);
    if (pooler) url.port = String(pooler.port);
    const servers = await Promise.all([start(database.url), start(url.toString())]);
    await until('the rollup', isDone);
    for (const running of servers) {
      expect(await running.stop()).toBe(0);
      expect(running.output()).not.toContain('the rollup of charts failed');
    }
    pooler?.stop();

    const found = await contents();
    expect(found.chart_facts?.length).toBeGreaterThan(projects.length * CUSTOMERS * 5);
    for (const table of tables) await client.query(`DELETE FROM ${table}`);
    await client.query('UPDATE chart_projects SET closed_until = NULL');
    for (const projectId of projects) await server.app.get(ChartRollupService).rebuild(projectId);
    await server.app.get(ChartsRollupJob).run();
    expect(await contents()).toEqual(found);
  });

  it('computes a chart again whose process was killed in the middle of it', async () => {
    const projectId = 'proj2';
    const { hash, question } = await server.app
      .get(ChartQuestionsService)
      .read(projectId, 'cohort_explorer', readQuery(ChartQuery, {}))
      .then((asked) => ({ hash: hashOf(storedQuestion(asked)), question: storedQuestion(asked) }));
    const state = () =>
      one<{ state: string; answer: object | null }>(
        'SELECT state, answer FROM chart_questions WHERE project_id = $1',
        [projectId],
      );
    await client.query('BEGIN');
    await client.query('LOCK TABLE chart_facts IN ACCESS EXCLUSIVE MODE');
    const killed = await start(database.url);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query(
      `INSERT INTO chart_questions (project_id, hash, question, state, pieces, asked_at, due_at)
       VALUES ($1, $2, $3, 'waiting', 1, now(), now())`,
      [projectId, hash, JSON.stringify(question)],
    );
    await other.query('UPDATE chart_projects SET counted_at = now() WHERE project_id = $1', [projectId]);
    const isStuck = `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE application_name = 'tenure-reports' AND wait_event_type = 'Lock') AS stuck`;
    await until('a piece', async () => {
      const { rows } = await other.query<{ stuck: boolean }>(isStuck);
      return rows[0]?.stuck === true;
    });
    process.kill(killed.pid, 'SIGKILL');
    await client.query('COMMIT');
    expect(await state()).toEqual({ state: 'computing', answer: null });
    // The lease ends.
    await other.query('UPDATE chart_questions SET lease_until = now() - interval $$1 s$$, due_at = now()');
    await other.end();
    const next = await start(database.url);
    await until('the answer', async () => (await state()).state === 'done');
    expect(await next.stop()).toBe(0);
    const { answer } = await state();
    expect(answer).toMatchObject({ sums: { form: 'explorer' } });
  });

  it('derives only the customers of a product that changes', async () => {
    const rollUp = (): Promise<void> => server.app.get(ChartsRollupJob).run();
    const project = 'proj1';
    // Otherwise the changes below count as those of an older server, and all customers are derived again.
    await client.query('SET tenure.writes_exact_chart_facts = $$on$$');
    // Wrong on purpose: only those who are derived again get it right.
    const spoil = () =>
      client.query('UPDATE chart_customers SET cohort_day = $2 WHERE project_id = $1', [
        project,
        '2001-01-01',
      ]);
    const derived = async (): Promise<string[]> => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT DISTINCT s.store_product_id AS name FROM chart_customers c
         JOIN subscriptions s ON s.project_id = c.project_id AND s.customer_id = c.customer_id
         WHERE c.project_id = $1 AND c.cohort_day <> '2001-01-01' ORDER BY 1`,
        [project],
      );
      return rows.map(({ name }) => name);
    };
    const change = async (sql: string, ...values: unknown[]): Promise<string[]> => {
      await spoil();
      await changeProducts(server, project, () => client.query(sql, [project, ...values]));
      await client.query('UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1', [
        project,
      ]);
      await rollUp();
      expect(
        (await one<{ left: number }>('SELECT count(*)::int AS left FROM chart_product_changes')).left,
      ).toBe(0);
      return derived();
    };
    const sold = async (id: string): Promise<string[]> => {
      const { rows } = await client.query<{ sold: string }>(
        `SELECT DISTINCT k.product_id || ' ' || k.product_duration AS sold FROM chart_facts f
         JOIN chart_dims k ON k.project_id = $1 AND k.id = f.dims_id
         JOIN subscriptions s ON s.project_id = $1 AND s.id = f.purchase_id
         WHERE f.project_id = $1 AND s.store_product_id = $2 ORDER BY 1`,
        [project, id],
      );
      return rows.map((row) => row.sold);
    };
    const products = 'products WHERE project_id = $1 AND id';
    await rollUp();
    expect(
      await change(`UPDATE products SET display_name = 'x' WHERE project_id = $1 AND id = $2`, 'weekly'),
    ).toEqual([]);
    expect(
      await change(`UPDATE products SET duration = 'P2W' WHERE project_id = $1 AND id = $2`, 'weekly'),
    ).toEqual(['weekly']);
    expect(await sold('weekly')).toEqual(['weekly P2W']);
    expect(await change(`DELETE FROM ${products} = $2`, 'google:base')).toEqual(['google']);
    expect(await sold('google')).toEqual(['app/google:base P1M']);
    const insert = `INSERT INTO products (project_id, id, app_id, store_identifier, type, duration, created_at)
      VALUES ($1, $2, 'app', $3, 'subscription', 'P1M', now())`;
    expect(await change(insert, 'unsold', 'unsold')).toEqual([]);
    expect(await change(insert, 'plan', 'google:base')).toEqual(['google']);
    expect(await sold('google')).toEqual(['plan P1M']);
  });
});
