import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';

/** Any fixed number: the key of the lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 746_210_001;
const LOCK_TIMEOUT_MS = 5_000;

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
    const migrator = dataSource.createQueryRunner();
    try {
      // A migration that waits for a lock stops all traffic behind it: better to fail and be run again.
      await migrator.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    } finally {
      await migrator.release();
    }
    const done = await dataSource.runMigrations({ transaction: 'each' });
    await guard.commitTransaction();
    return done.map((migration) => migration.name);
  } finally {
    await guard.release();
    await dataSource.destroy();
  }
}
