import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A consumer that writes down every request: path, event, when it came, when it was answered, and when its connection
 * ended. `handle` is asked for the status, and may take its time.
 */
export async function startReceiver(handle) {
  const requests = [];
  const server = createServer((request, response) => {
    request.socket.setMaxListeners(0);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const { event } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const entry = { path: request.url, event, startedAt: Date.now(), endedAt: null, lostAt: null };
      request.socket.once('close', () => (entry.lostAt = Date.now()));
      requests.push(entry);
      const status = await handle(entry).catch(() => 500);
      entry.endedAt = Date.now();
      response.writeHead(status).end();
    });
    request.on('error', () => undefined);
  });
  // Senders end idle connections themselves: what is lost within seconds was lost with its process.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
