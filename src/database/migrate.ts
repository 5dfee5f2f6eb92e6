import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { configureConnection, configureTransaction, unbounded } from './connection-settings.js';
import { dataSourceOptions } from './data-source.js';
import { givingWay } from './giving-way.js';

/** Any fixed number: the key of the lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 746_210_001;
/** What a migration waits for stops the traffic behind it as well: it gives way soon, and comes back. */
const bounds = { ...unbounded, lock_timeout: '1s' };
const ASK_AGAIN_MS = 100;

/** Names of the migrations that a database has seen, in their order. */
export async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('migrations') AS name`,
  );
  if (!table?.name) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

/** A migration that cannot get its locks is rolled back and tried again. */
async function runPending(dataSource: DataSource, migrator: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, migrator);
  executor.transaction = 'each';
  await givingWay(() => executor.executePendingMigrations());
}

/**
 * Opens the transaction that has the lock and reads nothing. It waits without one: an index that is made concurrently
 * waits for every transaction that is found reading, and would wait for ever for one that waits for the end of its
 * migration.
 */
async function takeTurn(guard: QueryRunner): Promise<void> {
  for (;;) {
    await guard.startTransaction();
    await configureTransaction(guard, unbounded);
    // Without parameters: the portal of a statement that has some stays open, and with it what it reads.
    const [row] = await guard.manager.query<{ isMine: boolean }[]>(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "isMine"`,
    );
    if (row?.isMine) return;
    await guard.rollbackTransaction();
    await sleep(ASK_AGAIN_MS);
  }
}

/** What migrations run on. Their transactions have the bounds also through a pooler. */
async function makeMigrator(dataSource: DataSource): Promise<QueryRunner> {
  const migrator = dataSource.createQueryRunner();
  await configureConnection((await migrator.connect()) as pg.PoolClient, bounds);
  const start = migrator.startTransaction.bind(migrator);
  migrator.startTransaction = async (isolation) => {
    await start(isolation);
    await configureTransaction(migrator, bounds);
  };
  return migrator;
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
    await takeTurn(guard);
    const before = await appliedMigrations(dataSource);
    const migrator = await makeMigrator(dataSource);
    try {
      await runPending(dataSource, migrator);
    } finally {
      await migrator.release();
    }
    const after = await appliedMigrations(dataSource);
    await guard.commitTransaction();
    return after.filter((name) => !before.includes(name));
  } finally {
    await guard.release();
    await dataSource.destroy();
  }
}
