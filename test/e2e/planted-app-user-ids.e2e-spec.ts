import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { appUserIdHash } from '../../src/platform/observability/app-user-id-hash.js';
import { startTracing } from '../../src/platform/observability/tracing.js';
import { SelfCheckJob } from '../../src/purchases/self-check/self-check.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, testReceipt } from '../support/arrange-store.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer } from '../support/test-server.js';
import { startCollector } from '../support/trace-collector.js';

/** The id has characters that are encoded in paths. */
const PLANTED = 'planted+ada@example.com';
const CUSTOMER_PARAMETERS = /\{(app_user_id|customer_id|store_user_id)\}/g;

describe('app user ids', () => {
  afterEach(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  });

  it('appears in lines and spans only as a hash, whatever route, fault or work handles it', async () => {
    const collector = await startCollector();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    const stopTracing = await startTracing('http/json');
    const lines: string[] = [];
    // Some calls bypass the client that counts writes.
    const database = await createTestDatabase();
    const server = await startTestServer({
      databaseUrl: database.url,
      logTo: (line) => lines.push(line),
    });
    const store = await createTestStore(server);
    await store.backend.post(`${store.path}/integrations/webhooks`, {
      name: 'Gone',
      url: 'http://127.0.0.1:9/',
    });
    expect((await store.sdk.post('/v1/receipts', testReceipt(PLANTED))).status).toBe(200);

    const body = JSON.stringify({
      app_user_id: PLANTED,
      new_app_user_id: `${PLANTED}-too`,
      subscriber_ids: [PLANTED],
      target_customer_id: PLANTED,
      attributes: { $email: { value: PLANTED } },
      fetch_token: PLANTED,
      product_id: PLANTED,
    });

    const { key: secretKey } = await createSecretKey(store.session, store.projectId);
    const callers = [store.publicKey, secretKey].map((key) => ({ authorization: `Bearer ${key}` }));
    const call = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      sent: string | null,
    ) => {
      const answer = await fetch(`${server.baseUrl}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: method === 'GET' ? null : sent,
      });
      await answer.text();
      return answer.headers.get('x-request-id') as string;
    };
    const customer = encodeURIComponent(PLANTED);
    const operations = Object.entries(server.document.paths).flatMap(([pattern, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: pattern
          .replace(CUSTOMER_PARAMETERS, customer)
          .replace('{project_id}', store.projectId)
          .replace(/\{\w+\}/g, 'x'),
      })),
    );
    // A customer that was deleted has nothing to show.
    operations.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    expect(operations.filter(({ path }) => path.includes(customer)).length).toBeGreaterThan(30);

    // Every project gets its time of the day.
    await server.app.get(SelfCheckJob).drain();

    // Faults whose details hold the row.
    await server.dataSource.query(
      `ALTER TABLE customer_aliases ADD CONSTRAINT planted_fault CHECK (app_user_id NOT LIKE '%fault%')`,
    );
    await call('GET', `/v1/subscribers/${customer}-fault`, callers[0] ?? {}, null);
    await call('POST', '/v1/receipts', callers[0] ?? {}, JSON.stringify(testReceipt(`${PLANTED}-fault`)));
    // Work that fails on rows of the customer, and a row that differs from its facts.
    await server.app.get(DeliveryDispatcherService).drain();
    await server.dataSource.query(
      `ALTER TABLE events ADD CONSTRAINT planted_fault CHECK (type <> 'EXPIRATION') NOT VALID`,
    );
    server.clock.advanceMs(40 * 86_400_000);
    await server.app.get(DueWorkJob).run();
    await server.dataSource.query(
      `UPDATE subscriptions SET access_ends_at = access_ends_at + interval '1 day'`,
    );
    await server.app.get(SelfCheckJob).drain();

    for (const { method, path } of operations) {
      // The project stays.
      if (method === 'DELETE' && !path.includes('/x') && !path.includes(customer)) continue;
      for (const headers of [...callers, {}]) {
        await call(method, path, headers, body);
        await call(method, path, headers, `{"app_user_id": "${PLANTED}`);
      }
    }
    for (const path of [
      `/v1/subscribers/${customer}/Nothing/${customer}`,
      `/v1/nothing/${customer}`,
      `/${customer}`,
    ])
      await call('GET', path, callers[0] ?? {}, null);
    const last = await call('GET', '/v2/projects', callers[1] ?? {}, null);
    while (!lines.some((line) => line.includes(last))) await new Promise(setImmediate);
    await stopTracing();
    await server.close();
    await database.drop();
    collector.close();

    const log = lines.join('');
    const messages = [
      '"code":"23514"',
      'due work of a customer failed; it is postponed',
      'the stored state of a customer differs from their facts',
    ];
    expect(messages.filter((message) => !log.includes(message))).toEqual([]);
    const hash = appUserIdHash(server.config.encryptionKey as Buffer)(PLANTED);
    expect(log).toContain(`"path":"/v1/subscribers/${hash}/offerings"`);
    expect(log).toContain(`"app_user_id":"${hash}"`);
    expect(lines.filter((line) => line.includes('planted+') || line.includes('planted%2B'))).toEqual([]);
    const traces = JSON.stringify(collector.exports());
    expect(traces).toContain('POST /v1/receipts');
    expect(traces).not.toMatch(/planted(\+|%2B)/);
  });

  it('appears in plain text if configured', async () => {
    const lines: string[] = [];
    const server = await startTestServer({
      env: { SERVICE_LOG_APP_USER_IDS: 'true' },
      logTo: (line) => lines.push(line),
    });
    const store = await createTestStore(server);
    await store.sdk.get('/v1/subscribers/ada%40example.com');
    while (!lines.some((line) => line.includes('"path":"/v1/subscribers/ada@example.com"')))
      await new Promise(setImmediate);
    await server.close();
  });
});
