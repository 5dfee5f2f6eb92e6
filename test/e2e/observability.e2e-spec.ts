import { jest } from '@jest/globals';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { ClockSkewService } from '../../src/platform/jobs/clock-skew.service.js';
import { ProcessMetrics } from '../../src/platform/observability/cluster-metrics.js';
import { serveMetrics } from '../../src/platform/observability/metrics-server.js';
import { SilentAppsJob } from '../../src/stores/shared/silent-apps.job.js';
import { Registry } from 'prom-client';
import { leaveFigures } from '../support/arrange-figures.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { OF_TARGETS } from '../support/prometheus-expressions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('what operators see', () => {
  let server: TestServer;
  let store: TestStore;
  let exposed: string;

  beforeAll(async () => {
    // Jobs run when the test says so.
    server = await startTestServer({ env: { SERVICE_ROLE: 'api' } });
    store = await createTestStore(server);
    await leaveFigures(server, store);
    exposed = await metrics();
  });

  afterAll(() => server.close());

  const inside = { port: 0, host: '127.0.0.1', token: null };
  const addressOf = (recorded: Server): string =>
    `http://127.0.0.1:${(recorded.address() as AddressInfo).port}`;
  const metrics = async (): Promise<string> => (await fetch(`${server.baseUrl}/metrics`)).text();
  const has = (sample: RegExp): void => expect(exposed).toMatch(sample);

  it('counts requests, errors and durations by the pattern of the route, never by path', () => {
    has(/^tenure_http_requests_total\{api="v1",method="POST",route="\/v1\/receipts",status="200"\} 1$/m);
    has(/^tenure_http_request_duration_seconds_count\{api="v1",method="POST",route="\/v1\/receipts"\} 1$/m);
    has(/^tenure_http_requests_total\{api="v1",method="GET",route="unmatched",status="404"\} 1$/m);
    expect(exposed).not.toContain(store.projectId);
  });

  it('counts requests refused before their route, by its pattern', async () => {
    await store.sdk.send('POST', '/v1/receipts', '{', { 'content-type': 'application/json' });
    await fetch(`${server.baseUrl}/v1/receipts`, { method: 'OPTIONS' });
    await fetch(`${server.baseUrl}/v2/projects/${store.projectId}/apps`, { method: 'DELETE' });
    const text = await metrics();
    for (const labels of [
      'api="v1",method="POST",route="/v1/receipts",status="400"',
      'api="v1",method="OPTIONS",route="/v1/receipts",status="204"',
      'api="v2",method="DELETE",route="/v2/projects/:project_id/apps",status="405"',
    ]) {
      expect(text).toContain(`tenure_http_requests_total{${labels}} 1\n`);
    }
  });

  it('counts requests whose client did not wait, with status 499', async () => {
    const call = httpRequest(`${server.baseUrl}/v1/receipts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.publicKey}`, 'content-length': 1000 },
    });
    call.on('error', () => undefined);
    call.write('{');
    while (!(await metrics()).includes('\ntenure_http_bodies_arriving 1\n')) await new Promise(setImmediate);
    call.destroy();
    const gone = 'tenure_http_requests_total{api="v1",method="POST",route="/v1/receipts",status="499"} 1\n';
    while (!(await metrics()).includes(gone)) await new Promise(setImmediate);
  });

  it('counts what the engine wrote and how stores answered', () => {
    has(/^tenure_engine_events_total\{type="INITIAL_PURCHASE"\} 1$/m);
    has(/^tenure_engine_change_duration_seconds_count [1-9]/m);
    has(/^tenure_store_call_duration_seconds_count\{store="test_store",call="verify",result="ok"\} 1$/m);
  });

  it('counts jobs by outcome and the age of pending work', () => {
    has(/^tenure_job_duration_seconds_count\{work="webhook_deliveries",result="done"\} [1-9]/m);
    has(/^tenure_job_duration_seconds_count\{work="due_work",result="done"\} [1-9]/m);
    for (const queue of ['notifications', 'copies', 'refreshes', 'tasks']) {
      has(new RegExp(`^tenure_store_queue_oldest_due_seconds\\{queue="${queue}"\\} 0$`, 'm'));
    }
  });

  it('counts rare failures from 0 on, so that Prometheus sees the first as an increase', () => {
    for (const job of ['account_cleanup', 'partitions', 'store_tasks']) {
      has(new RegExp(`^tenure_job_duration_seconds_count\\{work="${job}",result="failed"\\} 0$`, 'm'));
    }
    for (const store of ['app_store', 'paddle', 'play_store', 'stripe', 'amazon', 'roku']) {
      const labels = `store="${store}",call="verify",result="credentials"`;
      expect(exposed).toContain(`\ntenure_store_call_duration_seconds_count{${labels}} 0\n`);
    }
    has(/^tenure_webhook_answers_total\{answer="not_sent"\} 0$/m);
  });

  it('measures how far the clock is ahead of that of the database', async () => {
    const skewOf = (text: string): number => Number(/^tenure_clock_skew_seconds (\S+)$/m.exec(text)?.[1]);
    const before = skewOf(await metrics());
    server.clock.advanceMs(180_000);
    await server.app.get(ClockSkewService).compare();
    // A clock of tests stops while that of the database continues.
    const moved = skewOf(await metrics()) - before;
    expect([moved <= 180, moved > 0]).toEqual([true, true]);
    server.clock.advanceMs(-180_000);
  });

  it('counts clean-ups and other rounds by outcome, including failures, which end nothing', async () => {
    const rounds: [string, () => Promise<void>][] = [
      ['idempotency_cleanup', () => server.app.get(CleanupsJob).run()],
      ['store_tasks_schedule', () => server.app.get(SilentAppsJob).schedule()],
    ];
    for (const [, run] of rounds) await run();
    const database = server.app.get(DatabaseService);
    const noDatabase = () => Promise.reject(new Error('no database'));
    const queries = jest.spyOn(database, 'query').mockImplementation(noDatabase);
    const transactions = jest.spyOn(database, 'transaction').mockImplementation(noDatabase);
    for (const [, run] of rounds) await run();
    queries.mockRestore();
    transactions.mockRestore();
    const text = await metrics();
    for (const [job] of rounds) {
      for (const result of ['done', 'failed']) {
        expect(text).toContain(`tenure_job_duration_seconds_count{work="${job}",result="${result}"} 1\n`);
      }
    }
  });

  it('sums over the processes of a port only where that is meaningful', () => {
    // Ages, delays and states are the same or another's for each process: a sum or an average hides them.
    const summable =
      /^(process_.*(bytes|fds)|nodejs_.*(bytes|handles|requests|resources|handles_total|requests_total|resources_total)|tenure_processes|tenure_database_(connections|waiting)|tenure_http_((requests|body_bytes)_in_flight|bodies_arriving))$/;
    const gauges = server.app
      .get(Registry)
      .getMetricsAsArray()
      .filter(({ type }: { type: unknown }) => type === 'gauge');
    expect(gauges.map(({ name }) => name)).toContain('tenure_due_work_oldest_seconds');
    const wrong = gauges.filter(
      ({ name, aggregator }) => ['sum', 'average'].includes(aggregator) && !summable.test(name),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('uses no label that Prometheus or its operator adds to every sample', () => {
    const metrics = server.app.get(Registry).getMetricsAsArray() as { name: string; labelNames?: string[] }[];
    const taken = metrics.flatMap(({ name, labelNames = [] }) =>
      labelNames.filter((label) => OF_TARGETS.includes(label)).map((label) => `${name} ${label}`),
    );
    expect([metrics.length > 20, taken]).toEqual([true, []]);
  });

  it('measures a store queue without a worker, by its age', async () => {
    const dueAt = new Date(server.clock.nowMs() - 90_000);
    await server.dataSource.query(
      `INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at, lease_until)
       VALUES ($1, $2, 'production', 'x', $3, NULL)`,
      [store.projectId, store.appId, dueAt],
    );
    const text = await metrics();
    expect(text).toContain('tenure_store_queue_oldest_due_seconds{queue="refreshes"} 90\n');
    expect(text).toContain('tenure_store_queue_oldest_due_seconds{queue="tasks"} 0\n');
  });

  it('counts connections to the database and the lag of the event loop', () => {
    has(/^tenure_database_connections\{pool="main",state="used"\} \d+$/m);
    has(/^tenure_database_connections\{pool="main",state="idle"\} [1-9]/m);
    has(/^tenure_database_connections\{pool="reports",state="used"\} 0$/m);
    has(/^tenure_database_waiting\{pool="main"\} 0$/m);
    has(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });

  it('supports a separate port, and then hides them where clients call', async () => {
    const own = await startTestServer({
      databaseUrl: server.databaseUrl,
      env: { SERVICE_METRICS_PORT: '0' },
    });
    const recorded = await serveMetrics(inside, () => own.app.get(ProcessMetrics).text());
    const address = addressOf(recorded);
    const { status, headers, text } = await own.http.get('/metrics');
    expect([status, headers['content-type'], text]).toEqual([
      404,
      'application/json; charset=utf-8',
      expect.stringContaining('There is no route GET /metrics'),
    ]);
    const answer = await fetch(`${address}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('\ntenure_http_requests_in_flight 0\n');
    expect((await fetch(`${address}/readyz`)).status).toBe(404);
    recorded.closeAllConnections();
    recorded.close();
    await own.close();
  });

  it('asks for the bearer token where one is set, at the port of clients and at one of their own', async () => {
    const token = 'scrape-0123456789abcdef';
    const own = await startTestServer({
      databaseUrl: server.databaseUrl,
      env: { SERVICE_METRICS_TOKEN: token },
    });
    const recorded = await serveMetrics({ ...inside, token }, () => Promise.resolve('figures'));
    for (const address of [own.baseUrl, addressOf(recorded)]) {
      const read = (authorization?: string): Promise<Response> =>
        fetch(`${address}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
      for (const wrong of [
        undefined,
        '',
        'Bearer',
        `Bearer ${token}x`,
        `Basic ${token}`,
        token,
        'Bearer a b',
      ]) {
        const answer = await read(wrong);
        expect([wrong, answer.status, answer.headers.get('www-authenticate')]).toEqual([
          wrong,
          401,
          'Bearer',
        ]);
        expect(await answer.text()).not.toContain('tenure_processes');
      }
      for (const right of [`Bearer ${token}`, `bearer ${token}`])
        expect((await read(right)).status).toBe(200);
    }
    recorded.closeAllConnections();
    recorded.close();
    await own.close();
  });

  it('says that it cannot tell when the other processes do not answer', async () => {
    const recorded = await serveMetrics(inside, () => Promise.reject(new Error('no answer')));
    const { status } = await fetch(`${addressOf(recorded)}/metrics`);
    expect(status).toBe(503);
    recorded.closeAllConnections();
    recorded.close();
  });
});
