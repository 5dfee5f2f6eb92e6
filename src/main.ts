import 'reflect-metadata';
import cluster from 'node:cluster';
import { type Config, ConfigError, loadConfig } from './config/config.js';
import { runMigrations } from './database/migrate.js';
import { provideDatabase } from './database/provide-database.js';
import { Log } from './observability/log.js';
import { ANNOUNCES, runWorkers, sayStartFailure } from './startup/cluster.js';
import { serve } from './startup/serve.js';
import { startFailure } from './startup/start-failure.js';

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function startOnDatabase(config: Config, log: Log): Promise<void> {
  const database = await provideDatabase(config, log);
  try {
    const migrated = await runMigrations(config.directDatabaseUrl ?? database.url);
    if (migrated.length > 0) log.info({ migrations: migrated }, 'migrated the database');
    if (config.processes > 1) runWorkers(database.config, log, database.stop);
    else await serve(database.config, log, { announces: true, afterStop: database.stop });
  } catch (error) {
    await database.stop();
    throw error;
  }
}

const config = readConfig();
const log = new Log(config.logLevel);
try {
  if (cluster.isWorker) await serve(config, log, { announces: process.env[ANNOUNCES] === 'true' });
  else await startOnDatabase(config, log);
} catch (error) {
  const failure = startFailure(error, config);
  if (failure === null) log.fatal({ err: error }, 'the server cannot start');
  else await sayStartFailure(failure);
  process.exit(1);
}
