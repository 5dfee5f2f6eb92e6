import 'reflect-metadata';
import { systemClock } from '../libs/kernel/index.js';
import { createApplication } from './application.js';
import { type Config, ConfigError, loadConfig } from './config/config.js';
import { runMigrations } from './database/migrate.js';
import { type ProvidedDatabase, provideDatabase } from './database/provide-database.js';
import { Log } from './observability/log.js';
import { announce } from './startup/announce.js';

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config, log: Log, database: ProvidedDatabase): Promise<void> {
  const { app } = await createApplication(database.config, systemClock, log);
  const server = await app.listen(config.port, config.host);
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // Requests that do not end by themselves must not keep the process for ever.
    const force = setTimeout(() => server.closeAllConnections(), config.shutdownGraceMs);
    await app.close();
    clearTimeout(force);
    await database.stop();
    log.info({}, 'stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      });
    });
  }
  await announce(app, database.config);
}

const config = readConfig();
const log = new Log(config.logLevel);
try {
  const database = await provideDatabase(config, log);
  try {
    const migrated = await runMigrations(database.url);
    if (migrated.length > 0) log.info({ migrations: migrated }, 'migrated the database');
    await start(config, log, database);
  } catch (error) {
    await database.stop();
    throw error;
  }
} catch (error) {
  log.error({ err: error }, 'the server cannot start');
  process.exit(1);
}
