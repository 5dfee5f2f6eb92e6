import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startTracing, traced } from '../../src/observability/tracing.js';
import { startAmazonWorld } from '../support/arrange-amazon.js';
import { createTestStore } from '../support/arrange-store.js';
import { startTestServer } from '../support/test-server.js';

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: ExportedSpan[] }[];
  }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A collector that keeps what it gets, and the variables that lead there. */
async function startCollector(answers = true) {
  const bodies: { type: string | undefined; path: string | undefined; bytes: Buffer }[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      bodies.push({ type: request.headers['content-type'], path: request.url, bytes });
      if (answers) response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    exports: () => bodies.map(({ bytes }) => JSON.parse(bytes.toString()) as Export),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const spansOf = (exports: Export[]): ExportedSpan[] =>
  exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

describe('traces', () => {
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  });

  it('follow a request of somebody else into the statements it runs, without ids or bodies', async () => {
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

  it('show what was asked of a store and what it answered, without names of apps or customers', async () => {
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

  it('go as protobuf to the address for traces alone', async () => {
    const collector = await startCollector();
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${collector.url}/for/traces`;
    const stop = await startTracing('http/protobuf');
    await traced('customers.create', {}, () => Promise.resolve());
    expect(await stop()).toBe(true);
    expect(collector.bodies.map(({ type, path }) => [type, path])).toEqual([
      ['application/x-protobuf', '/for/traces'],
    ]);
    expect(collector.bodies[0]?.bytes.toString('latin1')).toContain('customers.create');
    collector.close();
  });

  it('do not keep a process from stopping while the collector is silent or gone', async () => {
    const collector = await startCollector(false);
    for (const url of [collector.url, 'http://127.0.0.1:9']) {
      process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
      const stop = await startTracing('http/protobuf');
      await traced('customers.create', {}, () => Promise.resolve());
      expect(await stop()).toBe(false);
    }
    collector.close();
  });
});
