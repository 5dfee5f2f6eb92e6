import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on: `wanted`, or any. @throws Error EADDRINUSE when somebody does */
export async function freePort(wanted = 0) {
  const probe = createServer().listen(wanted);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
