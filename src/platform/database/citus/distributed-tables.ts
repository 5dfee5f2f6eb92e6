import type { EntityManager } from 'typeorm';
import { distributionColumn, tableKinds } from './table-kinds.js';

/** The table that others are colocated with: the first to be distributed. */
export const FIRST = 'customers';

/**
 * Without the first, a transaction cannot change a reference table after a distributed one. Without the second, no
 * trigger can be created.
 */
export const CITUS_SETTINGS = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.enable_unsafe_triggers': 'on',
};

export type Queries = Pick<EntityManager, 'query'>;

/** Version of the extension in this database, or null. */
export async function citusVersion(database: Queries): Promise<string | null> {
  const [row] = await database.query<{ version: string }[]>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  return row?.version ?? null;
}

/** Needs Citus, and a table without triggers and foreign keys. */
export async function distributeTable(database: Queries, table: string): Promise<void> {
  const column = distributionColumn(table);
  if (column !== null) {
    const group = table === FIRST || tableKinds.get(table) === 'organization' ? 'none' : FIRST;
    await database.query('SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      column,
      group,
    ]);
  } else if (tableKinds.get(table) === 'reference') {
    await database.query('SELECT create_reference_table($1::regclass)', [table]);
  } else {
    await database.query('SELECT citus_add_local_table_to_metadata($1::regclass)', [table]);
  }
}

/**
 * For each new table of a migration, before its foreign keys and triggers. Does nothing in a database that is not
 * distributed.
 */
export async function distributeNewTable(database: Queries, table: string): Promise<void> {
  if ((await citusVersion(database)) === null) return;
  const [first] = await database.query<unknown[]>(
    'SELECT 1 FROM pg_dist_partition WHERE logicalrelid = $1::regclass',
    [FIRST],
  );
  if (first) await distributeTable(database, table);
}
