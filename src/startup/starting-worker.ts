import cluster from 'node:cluster';
import { isStartFailure } from './say-start-failure.js';
import { ANSWERS_WHILE_STARTING } from './posts.js';

/** The port of several processes cannot be listened at; the message says what to do. */
export class StartRefused extends Error {}

/** A process of the cluster that answers while the others do not listen yet. */
export interface StartingWorker {
  /** @throws StartRefused */
  listening(): Promise<void>;
  /** Leaves the port to the other processes, without closing it. */
  handOver(): void;
  end(): Promise<void>;
}

/**
 * Node keeps a shared port open for as long as one process of the cluster listens on it: with this one the port never
 * closes between the first second of the start and the first process with the application.
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
  return {
    listening: () => listening,
    handOver: () => {
      if (!worker.isConnected()) return;
      worker.send('leave');
      worker.disconnect();
    },
    end: () => {
      worker.process.kill('SIGKILL');
      return ended;
    },
  };
}
