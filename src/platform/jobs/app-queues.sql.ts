import { isHere } from '../data-location/is-here.sql.js';
import type { HeldItem, LeaseTerms } from './leased-work.js';
import { isFree, leaseEnd } from './leases.sql.js';
import type { QueuePage, QueuePlace } from './project-claims.js';
import type { FreeSlots } from './slots.js';

export interface LeasedTable<Item> {
  table: string;
  /** Columns of the primary key, all text, the project first, with the corresponding field of the item. */
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

/** Maximum number of rows that one page of a poll reads. */
const ROWS_PER_PAGE = 1_000;

const keyColumns = ({ key, time }: Pick<LeasedTable<never>, 'key' | 'time'>): string[] =>
  time ? [...Object.keys(key), time[0]] : Object.keys(key);

/**
 * The apps after $2, $3 (project and app) with a row due at $1, in this order: those of one page of the queue, which is
 * read from its index. The next page starts after the last app, however many rows it has; the last app of a full page
 * is returned in any case. Takes no locks. A leased row is due when its lease ends.
 */
export function appsWithWorkDue({ table, dueAt }: AppQueue<never>): string {
  return `SELECT q.project_id AS "projectId", q.app_id AS key, q.due_at <= $1 AS "isDue", q.is_last AS "isLast"
    FROM (
      SELECT page.project_id, page.app_id, min(page.due_at) AS due_at,
        sum(count(*)) OVER () = ${ROWS_PER_PAGE}
          AND row_number() OVER (ORDER BY page.project_id DESC, page.app_id DESC) = 1 AS is_last
      FROM (
        SELECT n.project_id, n.app_id, n.${dueAt} AS due_at FROM ${table} n
        WHERE n.${dueAt} IS NOT NULL AND (n.project_id, n.app_id) > ($2, $3) AND ${isHere('n.project_id')}
        ORDER BY n.project_id, n.app_id, n.${dueAt} LIMIT ${ROWS_PER_PAGE}) page
      GROUP BY page.project_id, page.app_id) q
    WHERE q.due_at <= $1 OR q.is_last ORDER BY q.due_at`;
}

export interface PolledApp extends QueuePlace {
  isDue: boolean;
  isLast: boolean;
}

export const pollValues = (now: Date, after: QueuePlace | null): unknown[] => [
  now,
  after?.projectId ?? '',
  after?.key ?? '',
];

export function pageOf(apps: PolledApp[]): QueuePage {
  return { due: apps.filter(({ isDue }) => isDue), last: apps.find(({ isLast }) => isLast) ?? null };
}

/**
 * `leased`: the rows of the project $1 that are due at $2 without a lease, now leased and due again at $3. At most $4,
 * oldest first, and for each app at most its free slots ($5 and $6: apps with running work and their free slots; $7:
 * slots of the others); see `claimValues`. "is not null" and the late comparison keep the plan's cost independent of
 * $2, so that PostgreSQL uses a cached plan. Planning each time takes longer with every partition.
 */
export function leasedOf(queue: AppQueue<never>): string {
  const { table, dueAt, leaseUntil } = queue;
  const key = keyColumns(queue).filter((column) => column !== 'project_id');
  const same = (left: string, right: string): string =>
    key.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ');
  return `WITH due AS MATERIALIZED (
    SELECT head.* FROM project_anchors a
    LEFT JOIN unnest($5::text[], $6::int[]) AS f (app_id, places) ON f.app_id = a.app_id
    CROSS JOIN LATERAL (
      SELECT first.* FROM (
        SELECT ${key.map((column) => `n.${column}`).join(', ')}, n.${dueAt} AS at FROM ${table} n
        WHERE n.project_id = $1 AND n.app_id = a.app_id AND n.${dueAt} IS NOT NULL
          AND ${isFree(`n.${leaseUntil}`)}
        ORDER BY n.${dueAt} LIMIT coalesce(f.places, $7::int)) first
      WHERE first.at <= $2) head
    WHERE a.project_id = $1 AND a.app_id <> '' AND ${isHere('$1')}
    ORDER BY head.at LIMIT $4::int
  ), taken AS (
    SELECT ${key.map((column) => `n.${column}`).join(', ')} FROM due JOIN ${table} n ON n.project_id = $1 AND ${same('n', 'due')}
    WHERE n.${dueAt} IS NOT NULL AND n.${dueAt} <= $2 AND ${isFree(`n.${leaseUntil}`)}
    FOR UPDATE OF n SKIP LOCKED
  ), leased AS (
    UPDATE ${table} n SET ${dueAt} = $3, ${leaseUntil} = ${leaseEnd('$2', '$3')} FROM taken t
    WHERE n.project_id = $1 AND ${same('n', 't')}
    RETURNING n.*
  )`;
}

export function claimValues(
  projectId: string,
  { now, againAt }: LeaseTerms,
  { total, byKey, otherKeys }: FreeSlots,
): unknown[] {
  return [projectId, now, againAt, total, [...byKey.keys()], [...byKey.values()], otherKeys];
}

/**
 * Extends the leases of one project ($1) whose end has not changed since the process set it, and returns the new end;
 * see `renewalValues`.
 */
export function renewalOf(queue: LeasedTable<never> & { dueAt?: string }): string {
  const { table, dueAt, leaseUntil } = queue;
  const [project, ...columns] = keyColumns(queue);
  const arrays = columns.map(
    (column, index) => `$${index + 2}::${column === queue.time?.[0] ? 'timestamptz' : 'text'}[]`,
  );
  const ends = columns.length + 2;
  const setDueAt = dueAt === undefined ? '' : `${dueAt} = $${ends + 2}, `;
  const newEnd = leaseEnd(`$${ends + 1}`, `$${ends + 2}`);
  return `UPDATE ${table} n SET ${setDueAt}${leaseUntil} = ${newEnd}
    FROM unnest(${[...arrays, `$${ends}::timestamptz[]`].join(', ')}) AS held (${[...columns, 'lease_until'].join(', ')})
    WHERE n.${project} = $1 AND ${columns.map((column) => `n.${column} = held.${column} AND `).join('')}n.${leaseUntil} = held.lease_until
    RETURNING n.${leaseUntil} AS "leaseUntil"`;
}

export function renewalValues<Item>(
  { key, time }: LeasedTable<Item>,
  held: HeldItem<Item>[],
  { now, againAt }: LeaseTerms,
): unknown[] {
  const [project, ...fields] = [...Object.values(key), ...(time ? [time[1]] : [])];
  return [
    project && held[0]?.item[project],
    ...fields.map((field) => held.map(({ item }) => item[field])),
    held.map((lease) => lease.leaseUntil),
    now,
    againAt,
  ];
}
