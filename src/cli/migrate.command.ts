import { MigrationStopped, runMigrations } from '../platform/database/schema/migrate.js';
import { CommandFailed } from './command-failed.js';
import { print, withDatabase } from './context.js';
import { migrationState } from './migration-state.js';
import { endingInOrder } from './stopping.js';

/** With `status`, only lists pending migrations, and fails if there are any. */
export function migrate({ status = false }: { status?: boolean }): Promise<void> {
  return withDatabase(async ({ dataSource, config }) => {
    if (!status) {
      const url = config.directDatabaseUrl ?? config.databaseUrl ?? '';
      const done = await endingInOrder((stop) => runMigrations(url, { stop })).catch((error: unknown) => {
        throw error instanceof MigrationStopped ? new CommandFailed(error.message) : error;
      });
      print(done.length === 0 ? 'The schema is up to date.' : done.map((name) => `ran ${name}`).join('\n'));
      return;
    }
    const { applied, pending, unknown } = await migrationState(dataSource);
    for (const name of applied) print(`applied  ${name}`);
    for (const name of unknown) print(`unknown  ${name} (of a newer version)`);
    for (const name of pending) print(`pending  ${name}`);
    if (pending.length > 0)
      throw new CommandFailed(`${pending.length} pending migrations; run: tenure migrate`);
  });
}
