import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { patientServer } from './patient-server.js';

export interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

export interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: ExportedSpan[] }[];
  }[];
}

/** A collector that keeps what it gets. */
export async function startCollector(answers = true) {
  const bodies: { type: string | undefined; path: string | undefined; bytes: Buffer }[] = [];
  const server = createServer(patientServer, (request, response) => {
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

export const spansOf = (exports: Export[]): ExportedSpan[] =>
  exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
