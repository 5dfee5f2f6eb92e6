import type { DataSource } from 'typeorm';

/** Number of a project's rows in each table; empty tables are left out. */
export async function rowsOfProject(
  dataSource: DataSource,
  projectId: string,
): Promise<Record<string, number>> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = 'project_id' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const sql = `SELECT count(*)::int AS count FROM "${name}" WHERE project_id = $1`;
    const [row] = await dataSource.query<{ count: number }[]>(sql, [projectId]);
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}
