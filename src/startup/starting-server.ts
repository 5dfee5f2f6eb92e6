import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../libs/kernel/index.js';
import type { Config } from '../platform/config/config.js';
import { Listener } from '../platform/http/listener.js';
import { startingAnswers } from '../platform/http/starting-answers.js';

/** How long (ms) an idle connection may be used again. A header says so to clients, which stop using it in time. */
const KEEP_IDLE_MS = 1_000;
const LEAVE_WITHIN_MS = 30_000;

/**
 * Lets the connections end when the primary process asks for it: each with its next answer, else after a second. Closing
 * idle ones at once would lose a request that is on its way.
 */
function leaveGently({ server }: Listener): void {
  let isLeaving = false;
  server.keepAliveTimeout = KEEP_IDLE_MS;
  server.closeIdleConnections = () => undefined;
  server.prependListener('request', (_, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
  });
  // The primary process closes the channel, and Node closes it once more with the last connection.
  cluster.worker?.on('error', () => undefined);
  process.once('message', () => {
    isLeaving = true;
    setTimeout(() => process.exit(0), LEAVE_WITHIN_MS).unref();
  });
}

/**
 * Listens on the port of the configuration and answers that the server is starting.
 * @param isPassing other processes take the port over, and this one ends with its connections
 * @throws Error when the port cannot be had
 */
export async function startingServer(config: Config, { isPassing = false } = {}): Promise<Listener> {
  let { port } = config;
  const answers = startingAnswers(
    () => systemClock.nowMs(),
    () => config.with({ port }).baseUrl,
  );
  const listener = new Listener(answers);
  if (isPassing) leaveGently(listener);
  await listener.listen(config.port, config.host);
  // Port 0 took a free one.
  ({ port } = listener.server.address() as AddressInfo);
  return listener;
}
