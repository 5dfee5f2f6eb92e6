import type { DataSource } from 'typeorm';

export interface SchemaIndex {
  name: string;
  /** The `CREATE INDEX` statement as PostgreSQL prints it. */
  definition: string;
  /** False: incomplete, so no query uses it. */
  isValid: boolean;
  isOfPartition: boolean;
  isPartitioned: boolean;
  table: string;
  /** The index of the partitioned table that it belongs to. */
  parent: string | null;
}

export function indexesOf(dataSource: Pick<DataSource, 'query'>): Promise<SchemaIndex[]> {
  return dataSource.query<SchemaIndex[]>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS definition, x.indisvalid AS "isValid",
       t.relispartition AS "isOfPartition", i.relkind = 'I' AS "isPartitioned",
       t.relname::text AS "table", p.relname::text AS parent
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     LEFT JOIN pg_inherits h ON h.inhrelid = i.oid LEFT JOIN pg_class p ON p.oid = h.inhparent
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
     ORDER BY i.relname COLLATE "C"`,
  );
}

export interface TablePartition {
  table: string;
  partition: string;
}

export function partitionsOf(dataSource: Pick<DataSource, 'query'>): Promise<TablePartition[]> {
  return dataSource.query<TablePartition[]>(
    `SELECT parent.relname::text AS "table", c.relname::text AS partition
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class parent ON parent.oid = i.inhparent
     WHERE parent.relnamespace = 'public'::regnamespace AND parent.relkind = 'p' ORDER BY c.relname`,
  );
}

/** Definitions by name of the indexes that the migrations create. Partitions inherit theirs from their table. */
export function definitionsOf(indexes: readonly SchemaIndex[]): Record<string, string> {
  const own = indexes.filter(({ isOfPartition }) => !isOfPartition);
  return Object.fromEntries(
    own.map(({ name, definition }) => [name, definition.replace(' ON ONLY ', ' ON ')]),
  );
}
