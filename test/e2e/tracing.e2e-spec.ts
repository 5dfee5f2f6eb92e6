import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startTracing } from '../../src/observability/tracing.js';
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

describe('traces', () => {
  it('follow a request of somebody else into the statements it runs, without ids or bodies', async () => {
    const exports: Export[] = [];
    const collector = createServer((request, response) => {
      void json(request).then((body) => {
        exports.push(body as Export);
        response.end('{}');
      });
    }).listen(0, '127.0.0.1');
    const server = await startTestServer();
    const store = await createTestStore(server);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    process.env.OTEL_SERVICE_NAME = 'purchases';
    const stop = await startTracing();
    const answer = await store.sdk
      .with({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01` })
      .get('/v1/subscribers/somebody%40example.com');
    expect(answer.status).toBe(201);
    await stop();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_SERVICE_NAME;

    const [first] = exports.flatMap(({ resourceSpans }) => resourceSpans);
    expect(first?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'purchases' },
    });
    const spans = exports.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
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
    collector.closeAllConnections();
    collector.close();
  });
});
