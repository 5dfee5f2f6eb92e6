import { jest } from '@jest/globals';
import { BackgroundQuestionsJob } from '../../src/insights/charts/background/background-questions.job.js';
import { ChartPatienceService } from '../../src/insights/charts/background/chart-patience.service.js';
import { ChartRollupService } from '../../src/insights/charts/rollup/chart-rollup.service.js';
import { ChartSumsService } from '../../src/insights/charts/answers/chart-sums.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import type { ApiClient, Answer } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { addCustomer } from '../support/charts-world.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('charts of large projects', () => {
  let server: TestServer;
  let session: ApiClient;
  let client: ApiClient;
  let key: string;
  let projectId: string;

  beforeAll(async () => {
    server = await startTestServer();
    session = (await signUp(server)).session;
    server.app.get(ChartPatienceService).backgroundMs = 0;
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    projectId = (await session.post('/v2/projects', { name: 'Large' })).body.id;
    ({ client, key } = await createSecretKey(session, projectId));
    await addCustomer(server, projectId, { id: 'ann', seenMs: server.clock.nowMs() - DAY_MS, country: 'US' });
    await server.app.get(ChartsRollupJob).run();
    await enlarge();
  });

  afterEach(() => jest.restoreAllMocks());

  /** The next questions about customers seem to take minutes. */
  const enlarge = () =>
    server.dataSource.query(
      `UPDATE chart_projects SET facts = 1e9, runs = 1e9, payers = 1e9, customers = 1e9, counted_at = $2
       WHERE project_id = $1`,
      [projectId, new Date(server.clock.nowMs())],
    );
  const ask = (query = '', chart = 'cohort_explorer'): Promise<Answer> =>
    client.get(`/v2/projects/${projectId}/charts/${chart}?${query}`);
  const compute = () => server.app.get(BackgroundQuestionsJob).drain();
  const rows = (): Promise<{ state: string; attempts: number }[]> =>
    server.dataSource.query('SELECT state, attempts FROM chart_questions WHERE project_id = $1', [projectId]);
  const set = (columns: string) =>
    server.dataSource.query(`UPDATE chart_questions SET ${columns} WHERE project_id = $1`, [projectId]);

  it('answers 503 with the progress until the chart is computed, then what a small project gets', async () => {
    const asked = await ask();
    expect([asked.status, asked.headers['retry-after']]).toEqual([503, '10']);
    expect(asked.body).toMatchObject({
      type: 'server_error',
      retryable: true,
      reason: 'chart_computing',
      message: expect.stringMatching(/^The chart is being computed: 0 of \d+ parts are done\.$/),
    });
    await compute();
    const done = await ask();
    expect(done.status).toBe(200);
    expect(await rows()).toEqual([{ state: 'done', attempts: 0 }]);
    await server.dataSource.query('DELETE FROM chart_questions WHERE project_id = $1', [projectId]);
    await server.dataSource.query(
      'UPDATE chart_projects SET facts = 0, customers = 0 WHERE project_id = $1',
      [projectId],
    );
    expect((await ask()).body).toEqual(done.body);
  });

  it('estimates the rest from the parts that are done', async () => {
    await ask();
    await compute();
    const now = server.clock.nowMs();
    await set(`state = 'computing', pieces = 500, pieces_done = 12, started_at = '${new Date(now).toISOString()}',
      due_at = '2100-01-01', lease_until = '2100-01-01'`);
    server.clock.advanceMs(400);
    const { headers, body } = await ask();
    expect(body.message).toBe('The chart is being computed: 12 of 500 parts are done.');
    // 400 ms for 12 parts.
    expect(headers['retry-after']).toBe('17');
  });

  it('computes a question once, for JSON and CSV', async () => {
    const path = `/v2/projects/${projectId}/charts/cohort_explorer?format=csv`;
    const askForCsv = () => fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${key}` } });
    await Promise.all([ask(), askForCsv(), ask()]);
    await compute();
    const csv = await askForCsv();
    expect([csv.status, (await csv.text()).startsWith('cohort,')]).toEqual([200, true]);
    expect((await ask()).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('answers from the stored answer until it expires', async () => {
    await ask();
    await compute();
    const first = await ask();
    server.clock.advanceMs(9 * MINUTE_MS);
    expect((await ask()).body).toEqual(first.body);
    server.clock.advanceMs(2 * MINUTE_MS);
    await enlarge();
    expect((await ask()).status).toBe(503);
    await compute();
    const second = await ask();
    expect(second.body.last_computed_at).toBe(first.body.last_computed_at + 11 * MINUTE_MS);
  });

  it('computes again if a fresh answer is asked for and the stored one is older than a minute', async () => {
    await ask();
    await compute();
    server.clock.advanceMs(MINUTE_MS);
    expect((await ask('fresh=true')).status).toBe(200);
    server.clock.advanceMs(1);
    expect((await ask()).status).toBe(200);
    expect((await ask('fresh=true')).status).toBe(503);
    await compute();
    expect((await ask('fresh=true')).body.last_computed_at).toBe(server.clock.nowMs());
  });

  it('refuses more than 20 questions at a time', async () => {
    await server.dataSource.query(
      `INSERT INTO chart_questions (project_id, hash, question, state, pieces, asked_at, due_at)
       SELECT $1, n::text, '{}', 'waiting', 1, now(), '2100-01-01' FROM generate_series(1, 20) n`,
      [projectId],
    );
    const { status, headers, body } = await ask();
    expect([status, headers['retry-after'], body.message]).toEqual([
      503,
      '60',
      'Too many charts are being computed for this project.',
    ]);
  });

  it('gives up for ten minutes after three failures', async () => {
    jest.spyOn(server.app.get(ChartSumsService), 'sum').mockRejectedValue(new Error('disk full'));
    await ask();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await compute();
      expect(await rows()).toEqual([{ state: attempt < 3 ? 'waiting' : 'failed', attempts: attempt }]);
      server.clock.advanceMs(5_000);
    }
    const failed = await ask();
    expect([failed.status, failed.body.reason, failed.text.includes('disk')]).toEqual([
      503,
      'chart_failed',
      false,
    ]);
    jest.restoreAllMocks();
    server.clock.advanceMs(10 * MINUTE_MS);
    await enlarge();
    expect((await ask()).body.reason).toBe('chart_computing');
    await compute();
    expect((await ask()).status).toBe(200);
  });

  it('divides the customers again after a failure, because an import can have made pieces too large', async () => {
    await ask();
    jest.spyOn(server.app.get(ChartSumsService), 'sum').mockRejectedValueOnce(new Error('took too long'));
    const counted = async () =>
      (
        await server.dataSource.query<{ customers: string }[]>(
          'SELECT customers FROM chart_projects WHERE project_id = $1',
          [projectId],
        )
      )[0]?.customers;
    await compute();
    expect(Number(await counted())).toBe(1e9);
    server.clock.advanceMs(5_000);
    await compute();
    expect(Number(await counted())).toBe(1);
    expect(await rows()).toEqual([{ state: 'done', attempts: 1 }]);
  });

  it('answers a question that cannot be computed with its error', async () => {
    const filters = JSON.stringify([{ name: 'product_duration', values: ['P1M', 'P1Y'] }]);
    const query = `filters=${encodeURIComponent(filters)}`;
    expect((await ask(query, 'subscription_retention')).status).toBe(503);
    await compute();
    const { status, body } = await ask(query, 'subscription_retention');
    expect([status, body.param]).toEqual([400, 'filters']);
  });

  it('forgets the answers of a project when a customer is erased', async () => {
    const path = `/v2/projects/${projectId}/customers`;
    expect((await client.post(path, { id: 'bob' })).status).toBe(201);
    await server.app.get(ChartsRollupJob).run();
    await ask();
    await compute();
    expect(await rows()).toHaveLength(1);
    expect((await client.delete(`${path}/bob`)).status).toBe(200);
    await server.app.get(ChartsRollupJob).run();
    expect(await rows()).toEqual([]);
  });

  it('forgets the answers of a project that is computed again, and those being computed', async () => {
    await ask();
    await compute();
    await ask('resolution=day');
    expect(await rows()).toHaveLength(2);
    await server.app.get(ChartRollupService).rebuild(projectId);
    await server.app.get(ChartsRollupJob).run();
    expect(await rows()).toEqual([]);
    await compute();
    expect(await rows()).toEqual([]);
  });

  it('computes in the background what a request could not finish', async () => {
    await server.dataSource.query(
      'UPDATE chart_projects SET facts = 0, customers = 0 WHERE project_id = $1',
      [projectId],
    );
    const patience = server.app.get(ChartPatienceService);
    patience.inlineMs = 0;
    expect((await ask()).body.reason).toBe('chart_computing');
    patience.inlineMs = 6_000;
    await compute();
    // Its answer is stored, so that no request tries again.
    expect((await ask()).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('omits the figures of long charts from the list until they are computed', async () => {
    const list = async () => {
      const { body } = await client.get(`/v2/projects/${projectId}/charts`);
      return body.items.find(({ id }: { id: string }) => id === 'subscription_status');
    };
    expect((await list()).values).toEqual([]);
    await compute();
    expect((await list()).values).not.toEqual([]);
  });

  it('divides the customers of a project at the daily check', async () => {
    await server.dataSource.query(
      `INSERT INTO chart_customers (project_id, customer_id, cohort_day, customer_dims_id)
       SELECT c.project_id, 'x' || lpad(n::text, 6, '0'), c.cohort_day, c.customer_dims_id
       FROM chart_customers c, generate_series(1, 45000) n WHERE c.project_id = $1`,
      [projectId],
    );
    await server.dataSource.query(
      'UPDATE chart_projects SET check_due_at = NULL, checked_until = $2 WHERE project_id = $1',
      [projectId, 'y'],
    );
    await server.app.get(ChartsRollupJob).run();
    const ids = await server.dataSource.query<{ id: string }[]>(
      'SELECT from_customer_id AS id FROM chart_pieces WHERE project_id = $1 ORDER BY 1',
      [projectId],
    );
    expect(ids.map(({ id }) => id)).toEqual(['x020000', 'x040000']);
    const [counts] = await server.dataSource.query<{ customers: string }[]>(
      'SELECT customers FROM chart_projects WHERE project_id = $1',
      [projectId],
    );
    expect(Number(counts?.customers)).toBe(45_001);
  });
});
