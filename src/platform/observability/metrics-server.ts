import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mayReadMetrics } from './metrics-access.js';

/** Of the text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface MetricsServerOptions {
  port: number;
  host: string;
  /** What readers must send as their bearer token; null: nothing. */
  token: string | null;
}

/**
 * Serves `/metrics`, and nothing else, on a port of its own. Processes that share a port also share this one: `metrics`
 * tells of all of them, whichever is asked.
 * @throws Error when the port cannot be had
 */
export async function serveMetrics(
  { port, host, token }: MetricsServerOptions,
  metrics: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (!mayReadMetrics(token, request.headers.authorization)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
      return;
    }
    metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
