import { once } from 'node:events';
import { createServer } from 'node:http';

/** A backend that refuses webhooks until it is allowed to work; then it records the ids of their events. */
export async function startReceiver() {
  const seen = new Set();
  let works = false;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (works) seen.add(JSON.parse(Buffer.concat(chunks).toString('utf8')).event.id);
      response.writeHead(works ? 200 : 503).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    work: () => (works = true),
    close: () => server.closeAllConnections() || server.close(),
  };
}
