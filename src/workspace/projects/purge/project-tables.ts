import { statement } from '../../../platform/database/statement.js';

/** A table with rows of projects; its name is quoted for SQL. */
export interface ProjectTable {
  name: string;
  references: string[];
}

/**
 * Every table with a column `project_id`, read from the database, so that the tables of a newer version are included.
 * A table whose rows outlive a project must name the column differently.
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
 * Orders tables so that each comes before the tables it references: no delete cascades, so a statement never exceeds
 * its limit.
 * @throws Error if tables reference each other in a cycle
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
