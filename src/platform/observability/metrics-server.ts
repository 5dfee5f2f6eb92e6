import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mayReadMetrics } from './metrics-access.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface MetricsServerOptions {
  port: number;
  host: string;
  /** The required bearer token; null: none. */
  token: string | null;
}

/**
 * Serves only `/metrics`, on its own port. Processes that share the main port share this one too, and `metrics`
 * covers all of them.
 * @throws Error if the port is unavailable
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
