import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { within } from '../../../../libs/kernel/index.js';
import { CITUS_SETTINGS } from '../citus/distributed-tables.js';
import { configureConnection, configureTransaction, unbounded } from '../connections/connection-settings.js';
import { dataSourceOptions } from '../data-source.js';
import { endingSoon, orStopped } from './ending-soon.js';
import { givingWay } from './giving-way.js';

/** An arbitrary lock key; the lock lets only one process migrate at a time. */
export const MIGRATION_LOCK = 746_210_001;
/** Other statements queue behind a migration's lock request, so it times out quickly and retries. */
const bounds = { ...unbounded, ...CITUS_SETTINGS, lock_timeout: '1s' };
const ASK_AGAIN_MS = 100;
const CLOSE_WITHIN_MS = 500;

export async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ name: string | null }[]>(
    `SELECT to_regclass('migrations') AS name`,
  );
  if (!table?.name) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

/** The process was asked to stop; pending migrations remain for the next run. */
export class MigrationStopped extends Error {
  constructor(
    readonly ran: string[],
    cause: unknown,
  ) {
    super(
      `Stopped while migrating. Migrations completed: ${ran.length}. The next run continues from there.`,
      {
        cause,
      },
    );
  }
}

async function runPending(dataSource: DataSource, migrator: QueryRunner, stop: AbortSignal): Promise<void> {
  for (const migration of dataSource.migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (queryRunner) => {
      stop.throwIfAborted();
      await up(queryRunner);
    };
  }
  const executor = new MigrationExecutor(dataSource, migrator);
  executor.transaction = 'each';
  await givingWay(() => executor.executePendingMigrations());
}

/**
 * Opens the transaction that holds the lock and reads nothing. A process must not wait inside a reading transaction: a
 * concurrent index build waits for every such transaction, so the two would wait for each other forever.
 */
async function takeTurn(guard: QueryRunner, stop: AbortSignal): Promise<void> {
  for (;;) {
    stop.throwIfAborted();
    await guard.startTransaction();
    await configureTransaction(guard, unbounded);
    // Without parameters: a statement with parameters leaves its portal, and thus its snapshot, open.
    const [row] = await guard.manager.query<{ isMine: boolean }[]>(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "isMine"`,
    );
    if (row?.isMine) return;
    await guard.rollbackTransaction();
    await sleep(ASK_AGAIN_MS);
  }
}

/** Creates the connection for migrations. Its transactions have the timeouts even through a pooler. */
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

/** Closes the connections. After a stop request it does not wait for an unresponsive database. */
async function close(dataSource: DataSource, guard: QueryRunner, stop: AbortSignal): Promise<void> {
  if (!dataSource.isInitialized) return;
  const closed = guard.release().then(() => dataSource.destroy());
  if (!stop.aborted) return closed;
  await within(
    closed.catch(() => undefined),
    CLOSE_WITHIN_MS,
    undefined,
  );
}

/**
 * Brings the schema up to date. Several processes may start at once: the lock belongs to a transaction, so it works
 * behind a transaction-mode pooler and is released with the connection.
 * @param stop once aborted, no further migration starts, and the current one ends within six seconds
 * @returns names of the applied migrations
 * @throws MigrationStopped
 */
export async function runMigrations(
  url: string,
  { stop = new AbortController().signal }: { stop?: AbortSignal } = {},
): Promise<string[]> {
  const dataSource = new DataSource({ ...dataSourceOptions({ url, poolSize: 2 }), entities: [] });
  const guard = dataSource.createQueryRunner();
  let before: string[] | null = null;
  const ran = async (): Promise<string[]> => {
    const known = before;
    return known === null
      ? []
      : (await appliedMigrations(dataSource)).filter((name) => !known.includes(name));
  };
  try {
    await orStopped(dataSource.initialize(), stop);
    await orStopped(takeTurn(guard, stop), stop);
    before = await orStopped(appliedMigrations(dataSource), stop);
    const migrator = await orStopped(makeMigrator(dataSource), stop);
    try {
      await endingSoon(runPending(dataSource, migrator, stop), stop, { worker: migrator, helper: guard });
    } finally {
      await migrator.release();
    }
    const names = await ran();
    await guard.commitTransaction();
    return names;
  } catch (error) {
    if (!stop.aborted) throw error;
    throw new MigrationStopped(
      await within(
        ran().catch(() => []),
        CLOSE_WITHIN_MS,
        [],
      ),
      error,
    );
  } finally {
    await close(dataSource, guard, stop);
  }
}
