import pg from 'pg';
import { Registry } from 'prom-client';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const LIMIT = 3;

describe('a server with more requests than it can answer', () => {
  let server: TestServer;
  let store: TestStore;
  let tokens = 0;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_MAX_REQUESTS_IN_FLIGHT: String(LIMIT) } });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  const receipt = (appUserId: string) => ({
    app_user_id: appUserId,
    fetch_token: `test_${server.clock.nowMs()}_admission-${++tokens}`,
    product_id: 'pro_monthly',
  });
  const post = (body: object) => store.sdk.post('/v1/receipts', body);
  const inFlight = async (): Promise<number> => {
    const { values } = await server.app
      .get(Registry)
      .getSingleMetric('tenure_http_requests_in_flight')!
      .get();
    return values[0]!.value;
  };

  /** Runs `work` while as many receipts as the server takes wait for the database; gives their answers. */
  async function whileFull(work: () => Promise<void>) {
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    // A request that should have been refused must fail its test, not wait for the end of it.
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query(`SET idle_in_transaction_session_timeout = '5s'`);
    await holder.query('BEGIN; LOCK TABLE customers IN EXCLUSIVE MODE');
    const waiting = Promise.all(
      Array.from({ length: LIMIT }, (_, index) => post(receipt(`waiting-${tokens}-${index}`))),
    );
    try {
      while ((await inFlight()) < LIMIT) await new Promise(setImmediate);
      await work();
    } finally {
      await holder.end();
      // Also after a failure: the next test and the end of the server would meet them.
      await waiting;
    }
    return waiting;
  }

  it('refuses receipts with 503 and Retry-After, and takes the same ones later', async () => {
    const refused = receipt('refused');
    const answers = await whileFull(async () => {
      const answer = await post(refused);
      expect([answer.status, answer.body.code]).toEqual([503, 7110]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(LIMIT).fill(200));
    const again = await post(refused);
    expect([again.status, again.body.subscriber.entitlements.pro.product_identifier]).toEqual([
      200,
      'pro_monthly',
    ]);
  });

  it('counts refusals by the route they were for', async () => {
    const refusals = async (): Promise<Record<string, number>> => {
      const { values } = await server.app.get(Registry).getSingleMetric('tenure_http_requests_total')!.get();
      const refused = values.filter(({ labels }) => labels.status === 503);
      return Object.fromEntries(refused.map(({ labels, value }) => [labels.route, value]));
    };
    const before = await refusals();
    await whileFull(async () => {
      const paths = ['/v1/subscribers/somebody/attributes', `/v1/nothing/${'x'.repeat(40)}`];
      for (const path of [...Array<string>(3).fill('/v1/receipts'), ...paths]) {
        await fetch(server.baseUrl + path, { method: 'POST', body: '{}' });
      }
    });
    expect(await refusals()).toEqual({
      ...before,
      '/v1/receipts': (before['/v1/receipts'] ?? 0) + 3,
      '/v1/subscribers/:app_user_id/attributes': 1,
      unmatched: 1,
    });
  });

  it('answers reads and health checks meanwhile', async () => {
    await post(receipt('reader'));
    await whileFull(async () => {
      const read = await store.sdk.get('/v1/subscribers/reader');
      expect([read.status, read.body.subscriber.entitlements.pro.product_identifier]).toEqual([
        200,
        'pro_monthly',
      ]);
      for (const path of ['/healthz', '/readyz']) expect((await server.http.get(path)).status).toBe(200);
    });
  });

  it('tells clients of REST v2 and people at the dashboard in their own formats', async () => {
    await whileFull(async () => {
      const v2 = await store.backend.post(`${store.path}/entitlements`, {});
      expect([v2.status, v2.body]).toEqual([
        503,
        expect.objectContaining({
          object: 'error',
          type: 'server_error',
          retryable: true,
          backoff_ms: Number(v2.headers['retry-after']) * 1000,
        }),
      ]);
      const account = await server.http.post('/auth/login', {});
      expect([account.status, account.body.type, account.body.retry_after]).toEqual([
        503,
        'server_error',
        Number(account.headers['retry-after']),
      ]);
    });
  });
});
