import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { sqlState } from './database-errors.js';

/** Any fixed number: the key of the lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 746_210_001;
/** What a migration waits for stops the traffic behind it as well: it gives way soon, and comes back. */
const LOCK_TIMEOUT_MS = 1_000;
const GIVE_WAY_MS = 1_000;
const MAX_ATTEMPTS = 60;
/** Lock not available, deadlock. */
const IN_THE_WAY = new Set<string | undefined>(['55P03', '40P01']);

/** Names of the migrations that a database has seen, in their order. */
export async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('migrations') AS name`,
  );
  if (!table?.name) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

/** A migration that cannot get its locks between the statements of running servers is rolled back and tried again. */
async function runPending(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!IN_THE_WAY.has(sqlState(error)) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(GIVE_WAY_MS);
    }
  }
}

/**
 * Brings the schema up to date. Safe when several processes start at once: the lock belongs to a
 * transaction, so it also works behind a transaction-mode pooler and ends with the connection.
 * @returns names of the migrations that ran.
 */
export async function runMigrations(url: string): Promise<string[]> {
  const dataSource = new DataSource({ ...dataSourceOptions({ url, poolSize: 2 }), entities: [] });
  await dataSource.initialize();
  const guard = dataSource.createQueryRunner();
  try {
    await guard.startTransaction();
    await guard.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const before = await appliedMigrations(dataSource);
    const migrator = dataSource.createQueryRunner();
    try {
      await migrator.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    } finally {
      await migrator.release();
    }
    await runPending(dataSource);
    const after = await appliedMigrations(dataSource);
    await guard.commitTransaction();
    return after.filter((name) => !before.includes(name));
  } finally {
    await guard.release();
    await dataSource.destroy();
  }
}
