import type { Config } from '../platform/config/config.js';
import { runMigrations } from '../platform/database/schema/migrate.js';
import { provideDatabase, type ProvidedDatabase } from '../platform/database/provide-database.js';
import type { LogService } from '../platform/observability/log.service.js';
import type { StartSteps } from './start-steps.js';

export async function migratedDatabase(
  config: Config,
  log: LogService,
  stop: AbortSignal,
  steps: StartSteps,
): Promise<ProvidedDatabase> {
  const database = await steps.run(async (undoneBy) => {
    const provided = await provideDatabase(config, log);
    undoneBy(provided.stop);
    return provided;
  });
  await steps.run(async () => {
    const migrated = await runMigrations(config.directDatabaseUrl ?? database.url, { stop });
    if (migrated.length > 0) log.info({ migrations: migrated }, 'migrated the database');
  });
  return database;
}
