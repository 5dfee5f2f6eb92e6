import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config/config.js';
import type { LogService } from '../platform/observability/log.service.js';
import { runWorkers } from './cluster.js';
import { migratedDatabase } from './migrated-database.js';
import { StartSteps } from './start-steps.js';
import { forkStartingWorker } from './starting-worker.js';

export async function startCluster(config: Config, log: LogService, stop: AbortSignal): Promise<void> {
  const steps = new StartSteps(stop, log);
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../main.js', import.meta.url)),
    execArgv: ['--enable-source-maps'],
    // JSON has no NaN, the value of gauges without the database.
    serialization: 'advanced',
  });
  const starting = await steps.run(async (undoneBy) => {
    const worker = forkStartingWorker();
    undoneBy(() => worker.end());
    await worker.listening();
    return worker;
  });
  const database = await migratedDatabase(config, log, stop, steps);
  steps.done();
  runWorkers(database.config, log, { stop, starting, afterStop: database.stop });
}
