import pg from 'pg';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import type { Answer } from '../support/api-client.js';
import { statementsOf } from '../support/query-count.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';

/** Few connections, so that a handful of reports could take them all. */
const settings = { SERVICE_DATABASE_POOL_SIZE: '4', SERVICE_DATABASE_REPORT_CONNECTIONS: '2' };
/** Tables that reports read and purchases do not. */
const REPORTED = 'chart_days, audit_logs';

describe('reports that take long', () => {
  let server: TestServer;
  let store: TestStore;
  let holder: pg.Client;
  let reports: string[];

  async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    server = await startTestServer({ env: { ...settings, SERVICE_ROLE: 'api', ...env } });
    store = await createTestStore(server);
    reports = ['/metrics/overview', '/metrics/history?metric=revenue&days=90', '/audit_logs'].map(
      (path) => store.path + path,
    );
    holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    await holder.query(`SET idle_in_transaction_session_timeout = 0`);
    await holder.query(`BEGIN; LOCK TABLE ${REPORTED} IN ACCESS EXCLUSIVE MODE`);
  }

  afterEach(async () => {
    await holder.end();
    await server.close();
  });

  const read = async (url: string) => store.backend.get(url);

  it('never keep a purchase or customer info waiting for a connection', async () => {
    await start();
    const waiting = [...reports, ...reports].map(read);
    await untilBlocked(server, 2);
    const bought = await store.sdk.post('/v1/receipts', testReceipt('ada'));
    expect([bought.status, Object.keys(bought.body.subscriber.entitlements)]).toEqual([200, ['pro']]);
    expect((await store.sdk.get('/v1/subscribers/ada')).status).toBe(200);
    expect((await store.sdk.get('/v1/subscribers/ada/offerings')).status).toBe(200);
    await holder.query('ROLLBACK');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  });

  it('reads them once for concurrent requests for the same report', async () => {
    await start();
    const overviews: Promise<Answer>[] = [];
    const statements = await statementsOf(server, async () => {
      for (let asked = 0; asked < 6; asked++) overviews.push(read(`${store.path}/metrics/overview`));
      await untilBlocked(server, 1);
      // Answered behind the six: they all are in the server by now.
      await store.backend.get(`${store.path}/products`);
      await holder.query('ROLLBACK');
      await Promise.all(overviews);
    });
    expect((await Promise.all(overviews)).map(({ status }) => status)).toEqual(overviews.map(() => 200));
    const reads = statements.filter((name) => name === 'charts.key_figures').length;
    expect(reads).toBeGreaterThanOrEqual(2);
    expect(reads).toBeLessThan(6);
  });

  it('cancels them in PostgreSQL after their own time, and answers 503', async () => {
    await start({ SERVICE_DATABASE_REPORT_TIMEOUT_MS: '300' });
    for (const answer of await Promise.all(reports.map(read))) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(answer.body).toMatchObject({ type: 'server_error', retryable: true });
    }
    await holder.query('ROLLBACK');
    for (const url of reports) expect((await read(url)).status).toBe(200);
  });

  it('refuses them at once if many wait already', async () => {
    await start({ SERVICE_MAX_REQUESTS_IN_FLIGHT: '10' });
    const distinct = (day: number): string => `${store.path}/metrics/history?metric=mrr&days=${day}`;
    const waiting = [7, 8, 9, 10].map(distinct).map(read);
    await untilBlocked(server, 2);
    const more = await read(distinct(11));
    expect([more.status, more.headers['retry-after']]).toEqual([503, '1']);
    await holder.query('ROLLBACK');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
