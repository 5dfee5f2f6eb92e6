import cluster from 'node:cluster';
import { ANSWERS_WHILE_STARTING, isStartFailure } from './worker-messages.js';

/** The shared port is unavailable. The message tells the operator what to do. */
export class StartRefused extends Error {}

export interface StartingWorker {
  /** @throws StartRefused */
  listening(): Promise<void>;
  /** Leaves the port to the other processes, without closing it. */
  handOver(): void;
  end(): Promise<void>;
}

/**
 * Node keeps a shared port open while at least one process listens. This one does, until one with the application is
 * ready.
 */
export function forkStartingWorker(): StartingWorker {
  const worker = cluster.fork({ [ANSWERS_WHILE_STARTING]: 'true' });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const listening = new Promise<void>((resolve, reject) => {
    worker.once('listening', () => resolve());
    worker.on('message', (message: unknown) => {
      if (isStartFailure(message)) reject(new StartRefused(message.startFailure));
    });
    worker.once('exit', () =>
      reject(new Error('The process that answers while the server starts has ended')),
    );
  });
  // It may close the channel while the primary is still writing to it.
  worker.on('error', () => undefined);
  let isLeaving = false;
  return {
    listening: () => listening,
    handOver: () => {
      if (isLeaving || !worker.isConnected()) return;
      isLeaving = true;
      worker.send('leave');
      worker.disconnect();
    },
    end: () => {
      worker.process.kill('SIGKILL');
      return ended;
    },
  };
}
