import { startTracing, tracedWork } from '../../src/platform/observability/tracing.js';
import { startAmazonWorld } from '../support/arrange-amazon.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createTestStore } from '../support/arrange-store.js';
import { startTestServer } from '../support/test-server.js';
import { spansOf, startCollector } from '../support/trace-collector.js';
import { VERSION } from '../../src/platform/config/version.js';
import { hostname } from 'node:os';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('traces', () => {
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  });

  it('follows a caller’s trace into the statements of the request, without ids or bodies', async () => {
    const collector = await startCollector();
    const server = await startTestServer();
    const store = await createTestStore(server);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_SERVICE_NAME = 'purchases';
    const stop = await startTracing('http/json');
    const answer = await store.sdk
      .with({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
      .get('/v1/subscribers/somebody%40example.com');
    expect(answer.status).toBe(201);
    expect(await stop()).toBe(true);
    const exports = collector.exports();

    const [first] = exports.flatMap(({ resourceSpans }) => resourceSpans);
    expect(first?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'purchases' },
    });
    const spans = spansOf(exports);
    const request = spans.find(({ name }) => name === 'GET /v1/subscribers/:app_user_id');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(request?.attributes).toContainEqual({
      key: 'http.response.status_code',
      value: { intValue: 201 },
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(statements.map(({ name }) => name)).toContain('customers.create');
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(JSON.stringify(exports)).not.toContain('somebody');
    await server.close();
    collector.close();
  });

  it("shows the store's request and answer, without names of apps or customers", async () => {
    const collector = await startCollector();
    const world = await startAmazonWorld();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    const stop = await startTracing('http/json');
    const { id, userId } = world.amazon.subscribe();
    const store = { store_user_id: userId };
    expect((await world.post('buyer', id, store)).status).toBe(200);
    world.amazon.interfere = () => ({ status: 500 });
    expect((await world.post('buyer', 'unknown', store)).status).toBe(503);
    await stop();
    const spans = spansOf(collector.exports());
    const calls = spans.filter(({ name }) => name === '127.0.0.1');
    const statuses = calls.map(({ attributes }) =>
      attributes.find(({ key }) => key === 'http.response.status_code'),
    );
    expect(statuses.map((status) => status?.value.intValue)).toEqual([200, 500]);
    for (const { kind, parentSpanId } of calls) {
      const parent = spans.find(({ spanId }) => spanId === parentSpanId);
      expect([kind, parent?.name]).toEqual([3, 'POST /v1/receipts']);
    }
    expect(JSON.stringify(spans)).not.toMatch(new RegExp(`buyer|${world.appId}|${world.amazon.secret}`));
    await world.close();
    collector.close();
  });

  it('links to log lines by request and trace ids, and names version, process and pod', async () => {
    const collector = await startCollector();
    const lines: { msg: string; request_id?: string; trace_id?: string; status?: number }[] = [];
    const server = await startTestServer({ logTo: (line) => lines.push(JSON.parse(line)) });
    const store = await createTestStore(server);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'service.instance.id=mine,deployment.environment.name=test';
    const stop = await startTracing('http/json', { podName: 'tenure-api-0' });
    const database = server.app.get(DatabaseService);
    const query = database.query.bind(database);
    database.query = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const failed = await store.sdk.get('/v1/subscribers/ada');
    database.query = query;
    const refused = await store.sdk.post('/v1/receipts', { app_user_id: 'ada' });
    const unsampled = await store.sdk
      .with({ traceparent: `00-${TRACE}-00f067aa0ba902b7-00` })
      .post('/v1/receipts', { app_user_id: 'ada' });
    expect([failed.status, refused.status, unsampled.status]).toEqual([503, 400, 400]);
    while (lines.filter(({ status }) => (status ?? 0) >= 400).length < 3) await new Promise(setImmediate);
    expect(await stop()).toBe(true);

    const exports = collector.exports();
    const idsOf = ({ headers }: { headers: Record<string, string> }) => {
      const id = headers['x-request-id'] as string;
      const own = lines.filter(({ request_id }) => request_id === id);
      const span = spansOf(exports).find(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'request_id' && value.stringValue === id),
      );
      return { own: own.map(({ msg, trace_id }) => [msg, trace_id]), trace: span?.traceId };
    };
    const ofFailed = idsOf(failed);
    expect(ofFailed.trace).toMatch(/^[0-9a-f]{32}$/);
    expect(ofFailed.own).toEqual([
      ['request failed', ofFailed.trace],
      ['request', ofFailed.trace],
    ]);
    const ofRefused = idsOf(refused);
    expect(ofRefused.own).toEqual([['request', ofRefused.trace]]);
    expect(ofRefused.trace).not.toBe(ofFailed.trace);
    expect(idsOf(unsampled)).toEqual({ own: [['request', undefined]], trace: undefined });
    const resource = Object.fromEntries(
      (exports[0]?.resourceSpans[0]?.resource.attributes ?? []).map(({ key, value }) => [
        key,
        value.stringValue,
      ]),
    );
    expect(resource).toMatchObject({
      'service.name': 'tenure',
      'service.version': VERSION,
      'service.instance.id': 'mine',
      'deployment.environment.name': 'test',
      'host.name': hostname(),
      'k8s.pod.name': 'tenure-api-0',
    });
    await server.close();
    collector.close();
  });

  it('leaves out probes and polls, like the log', async () => {
    const collector = await startCollector();
    const lines: string[] = [];
    const server = await startTestServer({ logTo: (line) => lines.push(line) });
    await createTestStore(server);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    const stop = await startTracing('http/json');
    lines.length = 0;
    for (const path of ['/healthz', '/readyz', '/readyz?x=1', '/metrics'])
      await fetch(`${server.baseUrl}${path}`);
    await server.app.get(DueWorkJob).run();
    await server.app.get(DeliveryDispatcherService).drain();
    const seen = await fetch(`${server.baseUrl}/v2/projects`);
    while (!lines.some((line) => line.includes(seen.headers.get('x-request-id') as string)))
      await new Promise(setImmediate);
    expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(1);
    await stop();
    expect(spansOf(collector.exports()).map(({ name }) => name)).toEqual(['GET /v2/projects']);
    await server.close();
    collector.close();
  });

  it('sends protobuf to the address for traces alone', async () => {
    const collector = await startCollector();
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${collector.url}/for/traces`;
    const stop = await startTracing('http/protobuf');
    await tracedWork('customers.create', () => Promise.resolve());
    expect(await stop()).toBe(true);
    expect(collector.bodies.map(({ type, path }) => [type, path])).toEqual([
      ['application/x-protobuf', '/for/traces'],
    ]);
    expect(collector.bodies[0]?.bytes.toString('latin1')).toContain('customers.create');
    collector.close();
  });

  it('lets a process stop while the collector is silent or gone', async () => {
    const collector = await startCollector(false);
    for (const url of [collector.url, 'http://127.0.0.1:9']) {
      process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
      const stop = await startTracing('http/protobuf');
      await tracedWork('customers.create', () => Promise.resolve());
      expect(await stop()).toBe(false);
    }
    collector.close();
  });
});
