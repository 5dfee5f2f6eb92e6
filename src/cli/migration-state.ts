import type { DataSource } from 'typeorm';

export interface MigrationState {
  applied: string[];
  pending: string[];
  /** Applied by a newer version of the server. */
  unknown: string[];
}

/** Which migrations a database has seen. */
export async function migrationState(dataSource: DataSource): Promise<MigrationState> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('migrations') AS name`,
  );
  const rows = !table?.name
    ? []
    : await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  const applied = rows.map(({ name }) => name);
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  return {
    applied: applied.filter((name) => known.includes(name)),
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}
