import type { DatabaseService } from '../database/database.service.js';
import { longStatement, type Statement, statement } from '../database/statement.js';

/** Rows deleted by one cleanup statement, so that locks are short whatever the backlog. */
const BATCH = 1000;

/** Deletes in batches until one is not full. `deleteSome` deletes at most `limit` rows and returns how many. */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(BATCH)) === BATCH);
}

export interface OldRows {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** Condition on a row, with parameters from $1. */
  isOld: (row: string) => string;
  /** Column with an index that finds the rows. */
  orderBy?: string;
}

/**
 * A batch of old rows, to be joined with the table as `t`. Locks none, because Citus cannot; a row that has changed
 * since stays. "is true" keeps the planner from reading all old rows by an index to join them. The limit is a constant
 * because the planner expects more rows of a parameter.
 */
function batchOf({ table, key, isOld, orderBy }: OldRows): string {
  const columns = key.map((column) => `o.${column}`).join(', ');
  const order = orderBy === undefined ? '' : `ORDER BY o.${orderBy} `;
  return `(SELECT ${columns} FROM ${table} o WHERE ${isOld('o')} ${order}LIMIT ${BATCH}) old
    WHERE ${key.map((column) => `t.${column} = old.${column}`).join(' AND ')} AND (${isOld('t')}) IS TRUE RETURNING 1`;
}

/** Deletes a batch. Run it with `cleanUp`. */
export function deletionOf(name: string, rows: OldRows): Statement {
  return longStatement(name, `DELETE FROM ${rows.table} t USING ${batchOf(rows)}`);
}

/** Changes a batch of rows, which are then no longer old. Run it with `cleanUp`. */
export function clearanceOf(name: string, rows: OldRows, set: string): Statement {
  return longStatement(name, `UPDATE ${rows.table} t SET ${set} FROM ${batchOf(rows)}`);
}

const tryLock = statement(
  'cleanups.try_lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('cleanup:' || $1, 0)) AS "isMine"`,
);

/** Returns the number of rows: 0, without waiting, while another process runs the same statement. */
export function cleanUp(
  database: DatabaseService,
  command: Statement,
  values: readonly unknown[],
): Promise<number> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ isMine: boolean }>(tryLock, [command.name]);
    return lock?.isMine ? (await tx.query(command, [...values])).length : 0;
  });
}
