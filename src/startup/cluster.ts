import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { settings } from '../config/config.schema.js';
import { answerWorkersMetrics } from '../observability/cluster-metrics.js';
import type { Log } from '../observability/log.js';
import { onStopSignal } from './signals.js';

/** A process that dies at once must not be started again in a tight loop. */
const RESTART_AFTER_MS = 1000;

/** For workers to end by themselves at their own bound. */
const LATER_THAN_WORKERS_MS = 2_000;

/** Set for the worker that tells the person at the terminal where the server is. */
export const ANNOUNCES = 'TENURE_ANNOUNCES';

/** What the primary process found out, for the workers: they start as if somebody had configured it. */
function environmentOf(config: Config, index: number, isFirstStart: boolean): NodeJS.ProcessEnv {
  const jobsElsewhere = config.role === 'all' && index > 0;
  return {
    // Either may have come from a file, which would be a second source of the same setting.
    [`${settings.databaseUrl.variable}_FILE`]: undefined,
    [`${settings.encryptionKey.variable}_FILE`]: undefined,
    [settings.databaseUrl.variable]: config.databaseUrl ?? undefined,
    [settings.encryptionKey.variable]: config.encryptionKey?.toString('base64'),
    [settings.allowPrivateNetworks.variable]: String(config.allowPrivateNetworks),
    [settings.role.variable]: jobsElsewhere ? 'api' : config.role,
    [ANNOUNCES]: String(index === 0 && isFirstStart),
  };
}

/**
 * Runs `config.workers` processes that share the port, and starts one again that dies. The first of them runs the
 * background jobs. Node shares the connections out.
 */
export function runWorkers(config: Config, log: Log, afterStop: () => Promise<void>): void {
  let stopping = false;
  const workers = new Map<number, Worker>();
  const start = (index: number, isFirstStart: boolean): void => {
    const worker = cluster.fork(environmentOf(config, index, isFirstStart));
    workers.set(index, worker);
    worker.once('exit', (code, signal) => {
      workers.delete(index);
      if (stopping) return;
      log.error({ worker: index, code, signal }, 'a worker process ended; it is started again');
      void sleep(RESTART_AFTER_MS, undefined, { ref: false }).then(() => {
        if (!stopping) start(index, false);
      });
    });
  };
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../main.js', import.meta.url)),
    execArgv: ['--enable-source-maps'],
  });
  answerWorkersMetrics();
  for (let index = 0; index < config.workers; index++) start(index, true);
  const withinMs = config.drainMs + config.shutdownGraceMs + LATER_THAN_WORKERS_MS;
  onStopSignal(log, { withinMs }, async () => {
    stopping = true;
    const ended = [...workers.values()].map(
      (worker) => new Promise((resolve) => worker.once('exit', resolve)),
    );
    for (const worker of workers.values()) worker.process.kill('SIGTERM');
    await Promise.all(ended);
    await afterStop();
  });
}
