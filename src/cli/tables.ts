import type { EntityManager } from 'typeorm';

export interface Table {
  name: string;
  columns: string[];
  /** Columns of its primary key, in order. */
  key: string[];
}

/**
 * Reads the tables from the database. Excludes partitions, which belong to their table, and process heartbeats, which
 * are not data.
 */
export async function tablesOf(manager: EntityManager): Promise<Table[]> {
  return manager.query<Table[]>(
    `SELECT c.relname AS name,
       array(SELECT a.attname::text FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns,
       array(SELECT a.attname::text FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
         WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.place) AS key
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'notification_listeners'
     ORDER BY c.relname`,
  );
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
