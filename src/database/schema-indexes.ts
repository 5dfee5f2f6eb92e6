import type { DataSource } from 'typeorm';

/** An index of a table of the product. */
export interface SchemaIndex {
  name: string;
  /** The statement that makes it, as PostgreSQL tells it. */
  definition: string;
  /** False: half made, and used by no query. */
  isValid: boolean;
  isOfPartition: boolean;
  isPartitioned: boolean;
}

/** Every index, keys among them, by name. */
export function indexesOf(dataSource: Pick<DataSource, 'query'>): Promise<SchemaIndex[]> {
  return dataSource.query<SchemaIndex[]>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS definition, x.indisvalid AS "isValid",
       t.relispartition AS "isOfPartition", i.relkind = 'I' AS "isPartitioned"
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
     ORDER BY i.relname COLLATE "C"`,
  );
}

/** What the migrations make, by name: its definition. Partitions get theirs from their table. */
export function definitionsOf(indexes: readonly SchemaIndex[]): Record<string, string> {
  const own = indexes.filter(({ isOfPartition }) => !isOfPartition);
  return Object.fromEntries(
    own.map(({ name, definition }) => [name, definition.replace(' ON ONLY ', ' ON ')]),
  );
}
