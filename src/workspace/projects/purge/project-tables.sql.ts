import { statement } from '../../../platform/database/statement.js';

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
