import { expectedIndexes } from './expected-indexes.js';

const TABLE = / ON public\.(\w+) /;

/** Every table of the product, without partitions. Each has a primary key, and therefore an index. */
export const ownTables: readonly string[] = [
  ...new Set(Object.values(expectedIndexes).flatMap((definition) => TABLE.exec(definition)?.[1] ?? [])),
].sort();

/** Written by migrations only, possibly under another role. */
const MIGRATIONS = 'migrations';

/** The role's privileges on those of the tables $1 that exist. */
export const TABLE_PRIVILEGES = `SELECT c.relname::text AS "table",
    has_schema_privilege(c.relnamespace, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS "mayRead",
    c.relname = '${MIGRATIONS}' OR has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
      AND has_table_privilege(c.oid, 'DELETE') AS "mayWrite"
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
  ORDER BY c.relname`;

export interface TablePrivileges {
  table: string;
  mayRead: boolean;
  mayWrite: boolean;
}
