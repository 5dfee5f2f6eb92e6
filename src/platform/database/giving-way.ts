import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { sqlState } from './database-errors.js';

const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 60;
/** Lock not available, deadlock. */
const IN_THE_WAY = new Set<string | undefined>(['55P03', '40P01']);

/**
 * Runs a piece of a migration until it gets its locks between the statements of running servers. What it waits for stops
 * the traffic behind it as well: so it waits shortly, fails as a whole, and comes back.
 */
export async function givingWay<T>(work: () => Promise<T>, pauseMs = PAUSE_MS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!IN_THE_WAY.has(sqlState(error)) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(pauseMs);
    }
  }
}

/**
 * In a transaction, before it locks tables: ends an autovacuum of theirs, which PostgreSQL only does for who waits longer
 * than `deadlock_timeout`, with a lock for which no server has to wait. From then on the transaction waits for locks a
 * moment that is shorter than that: else a deadlock could fail a server, and not the migration.
 */
export async function endAutovacuum(queryRunner: QueryRunner, tables: readonly string[]): Promise<void> {
  await queryRunner.query(
    `SELECT set_config('lock_timeout', setting::int + 1000 || 'ms', true) FROM pg_settings
     WHERE name = 'deadlock_timeout'`,
  );
  await queryRunner.query(`LOCK TABLE ${tables.join(', ')} IN SHARE UPDATE EXCLUSIVE MODE`);
  await queryRunner.query(`SET LOCAL lock_timeout = '300ms'`);
}

/** For migrations with `transaction = false`: statements about tables in a transaction of their own, which gives way. */
export function changeTables(
  queryRunner: QueryRunner,
  tables: readonly string[],
  statements: string,
): Promise<void> {
  return givingWay(async () => {
    await queryRunner.startTransaction();
    try {
      await endAutovacuum(queryRunner, tables);
      await queryRunner.query(statements);
      await queryRunner.commitTransaction();
    } catch (error) {
      await queryRunner.rollbackTransaction();
      throw error;
    }
  });
}
