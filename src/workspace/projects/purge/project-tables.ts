import { statement } from '../../../platform/database/statement.js';

/** A table that holds rows of projects, its name quoted for SQL. */
export interface ProjectTable {
  name: string;
  /** Other tables that its foreign keys lead to. */
  references: string[];
}

/**
 * Every table with a column `project_id`, read from the database itself, so that the tables of a newer version
 * are known too. A table whose rows outlive a project must call the column otherwise.
 */
export const projectTables = statement(
  'projects.tables',
  `SELECT quote_ident(c.relname) AS name, coalesce(json_agg(DISTINCT quote_ident(parent.relname))
     FILTER (WHERE parent.oid <> c.oid), '[]') AS "references"
   FROM pg_class c
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
   LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f'
   LEFT JOIN pg_class parent ON parent.oid = f.confrelid
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
   GROUP BY c.relname`,
);

/**
 * Names of the tables in an order in which each comes before those it references: a row that goes takes no
 * others along, and a statement never deletes more than it was told to.
 * @throws Error when tables reference each other in a circle
 */
export function deletionOrder(tables: readonly ProjectTable[]): string[] {
  const order: string[] = [];
  let left = [...tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  while (left.length > 0) {
    const referenced = new Set(left.flatMap(({ references }) => references));
    const free = left.filter(({ name }) => !referenced.has(name));
    if (free.length === 0) {
      throw new Error(`Tables reference each other in a circle: ${left.map(({ name }) => name).join(', ')}`);
    }
    order.push(...free.map(({ name }) => name));
    left = left.filter((table) => !free.includes(table));
  }
  return order;
}
