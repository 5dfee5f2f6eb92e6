import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config/config.js';
import { settings } from '../platform/config/config.schema.js';
import { WorkersMetrics } from '../platform/observability/cluster-metrics.js';
import type { LogService } from '../platform/observability/log.service.js';
import { ANNOUNCES, isStartFailure, sayStartFailure } from './worker-messages.js';
import { onStopSignal } from './signals.js';
import type { StartingWorker } from './starting-worker.js';

/** Prevents restarting a failing process in a tight loop. */
const RESTART_AFTER_MS = 1000;
/** A failure before any process has served will not go away on its own. */
const MAX_FAILED_STARTS = 3;
/** Gives workers time to reach their own limit first. */
const LATER_THAN_WORKERS_MS = 2_000;

interface Post {
  role: Config['role'];
  announces: boolean;
  /** Clients cannot reach it. */
  isApart: boolean;
}

/** Jobs run in a separate process if configured, otherwise in the first process that may run them. */
function postsOf({ role, workers, hasJobsProcess }: Config): Post[] {
  const posts = Array.from({ length: workers }, (_, index): Post => {
    const leavesJobs = role === 'all' && (index > 0 || hasJobsProcess);
    return { role: leavesJobs ? 'api' : role, announces: index === 0, isApart: false };
  });
  return hasJobsProcess ? [...posts, { role: 'worker', announces: false, isApart: true }] : posts;
}

/** Listens on a port unknown to clients, because listening tells the primary that a worker is ready. */
const apart = (config: Config): NodeJS.ProcessEnv => ({
  [settings.host.variable]: 'localhost',
  [settings.port.variable]: '0',
  // The others share this port on a different address, which the operating system would treat as the same.
  [settings.metricsPort.variable]: undefined,
  [settings.metricsPublic.variable]: 'true',
  [settings.publicUrl.variable]: config.baseUrl,
});

/** Passes values determined by the primary to the workers as if they were configured. */
function environmentOf(config: Config, post: Post, isFirstStart: boolean): NodeJS.ProcessEnv {
  return {
    // Either may come from a file, which would be a second source of the same setting.
    [`${settings.databaseUrl.variable}_FILE`]: undefined,
    [`${settings.encryptionKey.variable}_FILE`]: undefined,
    [settings.databaseUrl.variable]: config.databaseUrl ?? undefined,
    [settings.encryptionKey.variable]: config.encryptionKey?.toString('base64'),
    [settings.allowPrivateNetworks.variable]: String(config.allowPrivateNetworks),
    [settings.role.variable]: post.role,
    [ANNOUNCES]: String(post.announces && isFirstStart),
    ...(post.isApart ? apart(config) : {}),
  };
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once('exit', () => resolve()));
}

interface RunOptions {
  stop: AbortSignal;
  /** Responds until the first worker does. */
  starting: StartingWorker;
  afterStop: () => Promise<void>;
}

/** Restarts processes that die. If they keep dying before any has served, everything ends with exit code 1. */
export function runWorkers(
  config: Config,
  log: LogService,
  { stop: requested, starting, afterStop }: RunOptions,
): void {
  let stopping = false;
  let hasServed = false;
  const workers = new Map<number, Worker>();
  const metrics = new WorkersMetrics();
  const killAll = (signal: NodeJS.Signals): void => {
    for (const worker of workers.values()) worker.process.kill(signal);
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    const ends = [...workers.values()].map(ended);
    killAll('SIGTERM');
    await Promise.all([...ends, starting.end()]);
    await afterStop();
  };
  const giveUp = async (failure: string | null): Promise<void> => {
    if (stopping) return;
    stopping = true;
    if (failure === null) log.error({}, 'the server cannot start: its processes end before they serve');
    else await sayStartFailure(failure);
    killAll('SIGKILL');
    await afterStop().catch((error: unknown) => log.fatal({ err: error }, 'the shutdown failed'));
    process.exit(1);
  };
  const start = (post: Post, index: number, failures = 0): void => {
    const worker = cluster.fork(environmentOf(config, post, failures === 0));
    workers.set(index, worker);
    worker.once('listening', () => {
      if (!post.isApart) {
        hasServed = true;
        starting.handOver();
      }
      metrics.add(worker);
    });
    worker.on('message', (message: unknown) => {
      if (!isStartFailure(message)) metrics.receive(worker, message);
      else if (hasServed)
        log.error({ worker: index, reason: message.startFailure }, 'a process cannot start');
      else void giveUp(message.startFailure);
    });
    worker.once('exit', (code, signal) => {
      workers.delete(index);
      metrics.remove(worker);
      if (stopping) return;
      if (!hasServed && failures + 1 >= MAX_FAILED_STARTS) {
        void giveUp(null);
        return;
      }
      log.error({ worker: index, code, signal }, 'a worker process ended; it is started again');
      // If no worker is left, this timer keeps the process alive.
      void sleep(RESTART_AFTER_MS).then(() => {
        if (!stopping) start(post, index, failures + 1);
      });
    });
  };
  for (const [index, post] of postsOf(config).entries()) start(post, index);
  const withinMs = config.drainMs + config.shutdownGraceMs + LATER_THAN_WORKERS_MS;
  onStopSignal(requested, log, { withinMs, onOverdue: () => killAll('SIGKILL') }, stop);
}
