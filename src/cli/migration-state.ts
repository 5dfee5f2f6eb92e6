import type { DataSource } from 'typeorm';
import { appliedMigrations } from '../platform/database/schema/migrate.js';

export interface MigrationState {
  applied: string[];
  pending: string[];
  /** Applied by a newer version of the server. */
  unknown: string[];
}

export async function migrationState(dataSource: DataSource): Promise<MigrationState> {
  const applied = await appliedMigrations(dataSource);
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  return {
    applied: applied.filter((name) => known.includes(name)),
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
