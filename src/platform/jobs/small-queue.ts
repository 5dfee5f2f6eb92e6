import { isHere } from '../data-location/is-here.sql.js';
import type { Reader } from '../database/database.service.js';
import type { Statement } from '../database/statement.js';
import type { LeasedTable } from './app-queues.sql.js';
import type { LeaseTerms } from './leased-work.js';
import { isFree, leaseEnd } from './leases.sql.js';

/*
 * A queue with few rows: a poll reads the keys of rows that are due, without locks, and each is then leased in its own
 * project.
 */

interface LeaseOptions {
  /** Condition on a row that is due, with the parameter `now`. */
  isDue: (row: string, now: string) => string;
  /** Further assignments to the row `q`. */
  set?: string;
  /** Columns of the row `q`. */
  returning: string;
}

/**
 * Leases one row, unless another process has leased or locked it since the poll. The parameters are its key, now and the
 * end of the lease; see `leaseEach`.
 */
export function leaseOf(
  { table, key, leaseUntil }: LeasedTable<never>,
  { isDue, set, returning }: LeaseOptions,
): string {
  const columns = Object.keys(key);
  const [now, end] = [`$${columns.length + 1}`, `$${columns.length + 2}`];
  const isRow = (row: string): string =>
    columns.map((column, index) => `${row}.${column} = $${index + 1}`).join(' AND ');
  return `UPDATE ${table} q SET ${leaseUntil} = ${leaseEnd(now, end)}${set === undefined ? '' : `, ${set}`}
    FROM (SELECT 1 FROM ${table} c
      WHERE ${isRow('c')} AND ${isDue('c', now)} AND ${isFree(`c.${leaseUntil}`)} AND ${isHere('$1')}
      FOR UPDATE SKIP LOCKED) free
    WHERE ${isRow('q')}
    RETURNING ${returning}, q.${leaseUntil} AS "leaseUntil"`;
}

export async function leaseEach<Item>(
  reader: Reader,
  lease: Statement,
  keys: readonly (readonly string[])[],
  { now, againAt }: LeaseTerms,
): Promise<Item[]> {
  const leased: Item[] = [];
  for (const key of keys) leased.push(...(await reader.query<Item>(lease, [...key, now, againAt])));
  return leased;
}
