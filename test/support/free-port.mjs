import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a free port: `wanted`, or any. @throws Error EADDRINUSE if it is in use */
export async function freePort(wanted = 0) {
  const probe = createServer().listen(wanted);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
