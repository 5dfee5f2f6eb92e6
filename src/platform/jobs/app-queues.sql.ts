import type { HeldItem, LeaseTerms } from './leased-work.js';
import { isFree, leaseEnd } from './leases.sql.js';
import type { FreeSlots } from './slots.js';

/** A table whose rows are leased. */
export interface LeasedTable<Item> {
  table: string;
  /** Columns of the primary key, all text, and where an item has them. */
  key: Readonly<Record<string, keyof Item>>;
  /** Of a table that is partitioned by month: the time in its primary key, and where an item has it (a Date). */
  time?: readonly [column: string, field: keyof Item];
  leaseUntil: string;
}

/** A table whose rows are the work of apps, with an index of project, app and due time. */
export interface AppQueue<Item> extends LeasedTable<Item> {
  /** Null where nothing is to be done any more. */
  dueAt: string;
}

const keyColumns = ({ key, time }: Pick<LeasedTable<never>, 'key' | 'time'>): string[] =>
  time ? [...Object.keys(key), time[0]] : Object.keys(key);

function sameKey(queue: LeasedTable<never>, left: string, right: string): string {
  return keyColumns(queue)
    .map((column) => `${left}.${column} = ${right}.${column}`)
    .join(' AND ');
}

function columnsOf(queue: AppQueue<never>, relation: string): string {
  return keyColumns(queue)
    .map((column) => `${relation}.${column}`)
    .join(', ');
}

/** `queues`: the apps that have work, found by stepping through the index from one to the next. */
export function appsWithWork({ table, dueAt }: Pick<AppQueue<never>, 'table' | 'dueAt'>): string {
  return `queues AS (
    (SELECT n.project_id, n.app_id FROM ${table} n WHERE n.${dueAt} IS NOT NULL
     ORDER BY n.project_id, n.app_id LIMIT 1)
    UNION ALL
    SELECT next.project_id, next.app_id FROM queues q CROSS JOIN LATERAL (
      SELECT n.project_id, n.app_id FROM ${table} n
      WHERE n.${dueAt} IS NOT NULL AND (n.project_id, n.app_id) > (q.project_id, q.app_id)
      ORDER BY n.project_id, n.app_id LIMIT 1) next
  )`;
}

/**
 * `leased`: the rows that are due at $1 and nobody's, leased; due again at $2. $3 at most, oldest first, and of each app what it has places
 * for ($4 and $5: apps with work under way and their free places; $6: places of the others); see `claimValues`. Where it
 * says that a moment is not null, and compares it late, the cost of the plan does not rest on $1: PostgreSQL keeps the
 * plan instead of making it anew each time, which takes longer the more partitions a table has.
 */
export function leasedOf(queue: AppQueue<never>): string {
  const { table, dueAt, leaseUntil } = queue;
  return `WITH RECURSIVE ${appsWithWork(queue)}, due AS MATERIALIZED (
    SELECT head.* FROM queues q
    LEFT JOIN unnest($4::text[], $5::int[]) AS f (app_id, places) ON f.app_id = q.app_id
    CROSS JOIN LATERAL (
      SELECT first.* FROM (
        SELECT ${columnsOf(queue, 'n')}, n.${dueAt} AS at FROM ${table} n
        WHERE n.project_id = q.project_id AND n.app_id = q.app_id AND n.${dueAt} IS NOT NULL
          AND ${isFree(`n.${leaseUntil}`)}
        ORDER BY n.${dueAt} LIMIT coalesce(f.places, $6::int)) first
      WHERE first.at <= $1) head
    ORDER BY head.at LIMIT $3::int
  ), taken AS (
    SELECT ${columnsOf(queue, 'n')} FROM due JOIN ${table} n USING (${keyColumns(queue).join(', ')})
    WHERE n.${dueAt} IS NOT NULL AND n.${dueAt} <= $1 AND ${isFree(`n.${leaseUntil}`)}
    FOR UPDATE OF n SKIP LOCKED
  ), leased AS (
    UPDATE ${table} n SET ${dueAt} = $2, ${leaseUntil} = ${leaseEnd('$1', '$2')} FROM taken t
    WHERE ${sameKey(queue, 'n', 't')}
    RETURNING n.*
  )`;
}

export function claimValues({ now, againAt }: LeaseTerms, { total, byKey, otherKeys }: FreeSlots): unknown[] {
  return [now, againAt, total, [...byKey.keys()], [...byKey.values()], otherKeys];
}

/** Moves the end of leases that are still as the process knows them, and gives it; see `renewalValues`. */
export function renewalOf(queue: LeasedTable<never> & { dueAt?: string }): string {
  const { table, dueAt, leaseUntil } = queue;
  const columns = keyColumns(queue);
  const arrays = columns.map(
    (column, index) => `$${index + 1}::${column === queue.time?.[0] ? 'timestamptz' : 'text'}[]`,
  );
  const ends = columns.length + 1;
  const setDueAt = dueAt === undefined ? '' : `${dueAt} = $${ends + 2}, `;
  const newEnd = leaseEnd(`$${ends + 1}`, `$${ends + 2}`);
  return `UPDATE ${table} n SET ${setDueAt}${leaseUntil} = ${newEnd}
    FROM unnest(${arrays.join(', ')}, $${ends}::timestamptz[]) AS held (${columns.join(', ')}, lease_until)
    WHERE ${sameKey(queue, 'n', 'held')} AND n.${leaseUntil} = held.lease_until
    RETURNING n.${leaseUntil} AS "leaseUntil"`;
}

export function renewalValues<Item>(
  { key, time }: LeasedTable<Item>,
  held: HeldItem<Item>[],
  { now, againAt }: LeaseTerms,
): unknown[] {
  return [
    ...[...Object.values(key), ...(time ? [time[1]] : [])].map((field) =>
      held.map(({ item }) => item[field]),
    ),
    held.map((lease) => lease.leaseUntil),
    now,
    againAt,
  ];
}
