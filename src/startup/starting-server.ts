import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../libs/kernel/index.js';
import type { Config } from '../platform/config/config.js';
import { Listener } from '../platform/http/pipeline/listener.js';
import { startingAnswers } from '../platform/http/pipeline/starting-answers.js';

/** Time (ms) for which an idle connection may be reused. A header tells clients, so that they stop using it in time. */
const KEEP_IDLE_MS = 1_000;
const LEAVE_WITHIN_MS = 30_000;

/**
 * Closes each connection with its next response, or after a second: closing idle ones immediately could lose a request.
 */
function leaveGently({ server }: Listener): void {
  let isLeaving = false;
  server.keepAliveTimeout = KEEP_IDLE_MS;
  server.closeIdleConnections = () => undefined;
  server.prependListener('request', (_, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
  });
  // The primary closes the channel, and Node closes it again with the last connection.
  cluster.worker?.on('error', () => undefined);
  process.once('message', () => {
    isLeaving = true;
    setTimeout(() => process.exit(0), LEAVE_WITHIN_MS).unref();
  });
}

/**
 * Listens on the configured port and responds that the server is starting.
 * @param isPassing other processes take over the port, and this one ends with its connections
 * @throws Error if the port is unavailable
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
  // With port 0, the system has chosen a free one.
  ({ port } = listener.server.address() as AddressInfo);
  return listener;
}
