import { DataSource, type EntityManager } from 'typeorm';
import { type Config, loadConfig } from '../platform/config/config.js';
import { settings } from '../platform/config/config.schema.js';
import { configureTransaction, unbounded } from '../platform/database/connections/connection-settings.js';
import { dataSourceOptions } from '../platform/database/data-source.js';
import { isConnectionLoss, sqlState } from '../platform/database/database-errors.js';
import { provideDatabase } from '../platform/database/provide-database.js';
import { LogService } from '../platform/observability/log.service.js';
import { CommandFailed } from './command-failed.js';
import { reasonOf } from './doctor/finding.js';

export interface CommandContext {
  config: Config;
  dataSource: DataSource;
  log: LogService;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** User-chosen names could otherwise send control sequences to the terminal. */
export function shown(text: string): string {
  return text.replace(/\p{C}/gu, '�');
}

export function commandConfig(): Config {
  return loadConfig(process.env);
}

export function environmentWith(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** Reads everything from one snapshot, however long it takes. Prints equal times as equal text. */
export function inOneSnapshot<T>(
  dataSource: DataSource,
  read: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await configureTransaction(manager, { ...unbounded, timezone: 'UTC' });
    return read(manager);
  });
}

/** Reduces errors that the operator can fix to one line. */
function plain(error: unknown): unknown {
  if (sqlState(error) === '42P01')
    return new CommandFailed('The database has no such table yet; run: tenure migrate');
  return isConnectionLoss(error) ? unreachable(error) : error;
}

function unreachable(error: unknown): CommandFailed {
  const { variable } = settings.databaseUrl;
  return new CommandFailed(`The database cannot be reached (${variable}): ${reasonOf(error)}`);
}

/**
 * Uses the configured database, or the embedded one even while in use. @throws CommandFailed if there is no database
 */
export async function withDatabase<T>(run: (context: CommandContext) => Promise<T>): Promise<T> {
  const environment = commandConfig();
  const log = new LogService('warn');
  const database = await provideDatabase(environment, log, true).catch((error: Error) => {
    throw new CommandFailed(error.message);
  });
  const dataSource = new DataSource({
    ...dataSourceOptions({ url: database.url, poolSize: 4 }),
    entities: [],
  });
  try {
    await dataSource.initialize().catch((error: unknown) => {
      throw unreachable(error);
    });
    return await run({ config: database.config, dataSource, log });
  } catch (error) {
    throw plain(error);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.stop();
  }
}
