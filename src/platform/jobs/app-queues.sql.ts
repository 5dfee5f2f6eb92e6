import { isHere } from '../data-location/is-here.sql.js';
import type { HeldItem, LeaseTerms } from './leased-work.js';
import { isFree, leaseEnd } from './leases.sql.js';
import type { FreeSlots } from './slots.js';

export interface LeasedTable<Item> {
  table: string;
  /** Columns of the primary key, all text, with the corresponding field of the item. */
  key: Readonly<Record<string, keyof Item>>;
  /** For a table partitioned by month: the time in its primary key and the corresponding field (a Date). */
  time?: readonly [column: string, field: keyof Item];
  leaseUntil: string;
}

/** A table of due work by app, with an index of project, app and due time. */
export interface AppQueue<Item> extends LeasedTable<Item> {
  /** Null if nothing is left to do. */
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

/** `queues`: the apps that have work, found by an index skip scan. */
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
 * `leased`: the rows due at $1 without a lease, now leased and due again at $2. At most $3, oldest first, and for each
 * app at most its free slots ($4 and $5: apps with running work and their free slots; $6: slots of the others); see
 * `claimValues`. "is not null" and the late comparison keep the plan's cost independent of $1, so that PostgreSQL uses
 * a cached plan. Planning each time takes longer with every partition.
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
    WHERE ${isHere('q.project_id')}
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

/** Extends leases whose end has not changed since the process set it, and returns the new end; see `renewalValues`. */
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
