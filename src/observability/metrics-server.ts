import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Of the text format of Prometheus. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `/metrics`, and nothing else, on a port of its own. Processes that share a port also share this one: `metrics`
 * tells of all of them, whichever is asked.
 * @throws Error when the port cannot be had
 */
export async function serveMetrics(
  port: number,
  host: string,
  metrics: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
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
