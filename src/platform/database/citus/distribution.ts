import type { DataSource, EntityManager } from 'typeorm';
import { configureTransaction } from '../connections/connection-settings.js';
import { MIGRATION_LOCK } from '../schema/migrate.js';
import { CITUS_SETTINGS, distributeTable, FIRST, type Queries } from './distributed-tables.js';
import { distributionColumn, tableKinds, type TableKind } from './table-kinds.js';

export interface TablePlace {
  table: string;
  kind: Exclude<TableKind, 'unknown'>;
  column: string | null;
  isDistributed: boolean;
}

const ORDER: readonly TableKind[] = ['reference', 'project', 'organization', 'local'];

/** Statements to run again once all tables are distributed. Exists only until then. */
const STEPS = 'distribution_steps';

/** Calls with a project as first argument run as a whole on its worker. */
const DELEGATED = 'list_customers(text,text[])';

/** Needs Citus. Returns all tables of the product that exist, in the order in which they are distributed. */
export async function tablePlaces(database: Queries): Promise<TablePlace[]> {
  const rows = await database.query<{ table: string; place: TableKind | null }[]>(
    `SELECT c.relname::text AS "table",
       CASE WHEN p.partmethod = 'h' THEN 'project' WHEN p.repmodel = 't' THEN 'reference'
         WHEN p.partmethod = 'n' THEN 'local' END AS place
     FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
     ORDER BY c.relname <> $2, c.relname`,
    [[...tableKinds.keys()], FIRST],
  );
  return rows
    .map(({ table, place }) => {
      const kind = tableKinds.get(table) ?? 'unknown';
      // A table with a key to another is added to the metadata of Citus with it, as a local one.
      const wanted = kind === 'organization' ? 'project' : kind;
      return kind === 'unknown'
        ? { table, kind: 'local' as const, column: null, isDistributed: true }
        : { table, kind, column: distributionColumn(table), isDistributed: place === wanted };
    })
    .sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** Another process migrates or distributes this database. */
export class DistributionBusy extends Error {}

/** The rows of a table after it was distributed are not those before. Nothing of this table was changed. */
export class RowsLost extends Error {}

/**
 * Distributes the tables one by one, each in a transaction of its own. If the process dies, the next call continues.
 *
 * @param report after each table, with the time it took (ms)
 * @throws DistributionBusy, RowsLost
 */
export async function distribute(
  dataSource: DataSource,
  report: (place: TablePlace, tookMs: number) => void,
): Promise<void> {
  await dataSource.transaction(async (guard) => {
    const [row] = await guard.query<{ isMine: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock($1) AS "isMine"',
      [MIGRATION_LOCK],
    );
    if (!row?.isMine) throw new DistributionBusy();
    const places = await tablePlaces(dataSource);
    const pending = places.filter(({ isDistributed }) => !isDistributed);
    await inTransaction(dataSource, (tx) => setAside(tx, namesOf(pending)));
    for (const place of pending) {
      const startMs = performance.now();
      await inTransaction(dataSource, (tx) => distributeRows(tx, place));
      report(place, performance.now() - startMs);
    }
    await distributeFunctions(dataSource);
    await putBack(dataSource);
  });
}

function inTransaction<T>(dataSource: DataSource, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  return dataSource.transaction(async (tx) => {
    await configureTransaction(tx, CITUS_SETTINGS);
    return work(tx);
  });
}

function namesOf(places: TablePlace[]): string[] {
  return places.map(({ table }) => table);
}

/**
 * Drops triggers and foreign keys, after writing down how to create them. With its triggers a table could lose rows
 * that a trigger skips because a key exists already.
 */
async function setAside(tx: EntityManager, tables: string[]): Promise<void> {
  await tx.query(`CREATE TABLE IF NOT EXISTS ${STEPS} (id bigserial PRIMARY KEY, statement text NOT NULL)`);
  const found = await tx.query<{ make: string; drop: string }[]>(
    `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make,
       format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
     FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0
       AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
     UNION ALL
     SELECT pg_get_triggerdef(oid), format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
     FROM pg_trigger
     WHERE NOT tgisinternal AND tgparentid = 0 AND tgrelid = ANY ($1::regclass[])`,
    [tables],
  );
  for (const { make, drop } of found) {
    await tx.query(`INSERT INTO ${STEPS} (statement) VALUES ($1)`, [make]);
    await tx.query(drop);
  }
}

async function distributeRows(tx: EntityManager, { table, kind }: TablePlace): Promise<void> {
  const before = await countOf(tx, table);
  await distributeTable(tx, table);
  const after = await countOf(tx, table);
  if (after !== before) throw new RowsLost(`${table} had ${before} rows, and now ${after}`);
  // The coordinator's own copy, which no statement reads any more.
  if (kind !== 'local')
    await tx.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [table]);
}

async function countOf(tx: EntityManager, table: string): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>(`SELECT count(*) FROM ${table}`);
  return row?.count ?? 0;
}

/** Triggers call functions on workers. */
async function distributeFunctions(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p
     WHERE p.pronamespace = current_schema()::regnamespace AND p.oid <> $1::regprocedure
       AND NOT EXISTS (SELECT 1 FROM pg_depend d
         WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`,
    [DELEGATED],
  );
  await dataSource.query(
    `SELECT create_distributed_function($1::regprocedure, '$1', colocate_with => $2, force_delegation => true)`,
    [DELEGATED, FIRST],
  );
}

async function putBack(dataSource: DataSource): Promise<void> {
  const steps = await dataSource.query<{ id: number; statement: string }[]>(
    `SELECT id, statement FROM ${STEPS} ORDER BY id`,
  );
  for (const { id, statement } of steps) {
    await inTransaction(dataSource, async (tx) => {
      await tx.query(statement);
      await tx.query(`DELETE FROM ${STEPS} WHERE id = $1`, [id]);
    });
  }
  await dataSource.query(`DROP TABLE ${STEPS}`);
}
