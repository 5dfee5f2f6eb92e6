import { DataSource } from 'typeorm';
import { type Config, loadConfig } from '../config/config.js';
import { dataSourceOptions } from '../database/data-source.js';
import { provideDatabase } from '../database/provide-database.js';
import { Log } from '../observability/log.js';

/** What commands work with: the configuration of the server, and its database. */
export interface CommandContext {
  config: Config;
  dataSource: DataSource;
  log: Log;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The environment of a program that a command starts. */
export function environmentWith(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/**
 * Runs a command on the database that the environment names, or on the embedded one, which must not be in use by a
 * running server.
 */
export async function withDatabase(run: (context: CommandContext) => Promise<void>): Promise<void> {
  const environment = loadConfig(process.env);
  const log = new Log('warn');
  const database = await provideDatabase(environment, log);
  const dataSource = new DataSource({
    ...dataSourceOptions({ url: database.url, poolSize: 4 }),
    entities: [],
  });
  try {
    await dataSource.initialize();
    await run({ config: database.config, dataSource, log });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.stop();
  }
}
