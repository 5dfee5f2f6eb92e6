import 'reflect-metadata';
import cluster from 'node:cluster';
import { type Config, ConfigError, loadConfig } from '../platform/config/config.js';
import { LogService } from '../platform/observability/log.service.js';
import type { RootModule } from './application.js';
import { ANNOUNCES, ANSWERS_WHILE_STARTING, sayStartFailure } from './worker-messages.js';
import { startingServer } from './starting-server.js';

function readConfig(env: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Loads code only when needed, so that the port opens early. */
export async function start(
  env: NodeJS.ProcessEnv,
  stop: AbortSignal,
  loadRoot: () => Promise<RootModule>,
): Promise<void> {
  const config = readConfig(env);
  const log = new LogService(config.logLevel);
  try {
    if (cluster.isWorker && env[ANSWERS_WHILE_STARTING] === 'true') {
      await startingServer(config, { isPassing: true });
    } else if (cluster.isWorker) {
      const { serveAsWorker } = await import('./serve.js');
      await serveAsWorker(config, log, { loadRoot, stop, announces: env[ANNOUNCES] === 'true' });
    } else if (config.processes > 1) {
      const { startCluster } = await import('./start-cluster.js');
      await startCluster(config, log, stop);
    } else {
      const listener = await startingServer(config);
      const { startProcess } = await import('./start-process.js');
      await startProcess(config, log, { stop, listener, loadRoot });
    }
  } catch (error) {
    const { startFailure } = await import('./start-failure.js');
    const failure = startFailure(error, config);
    if (failure === null) log.fatal({ err: error }, 'the server cannot start');
    else await sayStartFailure(failure);
    process.exit(1);
  }
}
