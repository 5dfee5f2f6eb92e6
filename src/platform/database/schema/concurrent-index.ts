import type pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { configureConnection } from '../connections/connection-settings.js';

/** A failed attempt leaves an invalid index, which no query uses but every write maintains. */
async function isMade(queryRunner: QueryRunner, name: string): Promise<boolean> {
  const [index] = await queryRunner.manager.query<{ isValid: boolean }[]>(
    `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [name],
  );
  if (index && !index.isValid) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  return index?.isValid ?? false;
}

/**
 * Creates an index without blocking writes, unless it exists. For migrations with `transaction = false`, which can be
 * rerun after a failure. It waits for all earlier transactions to end, but nothing waits for it.
 * @param definition what follows the name: `ON customers (project_id, …)`
 */
export async function createIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  const client = (await queryRunner.connect()) as pg.PoolClient;
  const { rows } = await client.query<{ lock_timeout: string }>('SHOW lock_timeout');
  await configureConnection(client, { lock_timeout: '0' });
  try {
    if (await isMade(queryRunner, name)) return;
    await queryRunner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  } finally {
    await configureConnection(client, rows[0] ?? {});
  }
}

/**
 * Like `createIndexConcurrently`, for a partitioned table, where PostgreSQL's own build blocks writers. Partitions
 * created in the meantime have the index from the start.
 */
export async function createPartitionedIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  table: string,
  columns: string,
): Promise<void> {
  await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${columns}`);
  const partitions = await queryRunner.manager.query<{ partition: string; isDone: boolean }[]>(
    `SELECT c.relname AS partition, EXISTS (
       SELECT 1 FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid
       WHERE i.inhparent = to_regclass($2) AND x.indrelid = c.oid) AS "isDone"
     FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid WHERE p.inhparent = to_regclass($1)`,
    [table, name],
  );
  for (const { partition, isDone } of partitions) {
    if (isDone) continue;
    const own = `${name}_${partition.slice(table.length + 1)}`;
    await createIndexConcurrently(queryRunner, own, `ON ${partition} ${columns}`);
    await queryRunner.query(`ALTER INDEX ${name} ATTACH PARTITION ${own}`);
  }
}
