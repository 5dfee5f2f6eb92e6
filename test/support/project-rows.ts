import type { DataSource } from 'typeorm';

/** How many rows of a project each table holds; tables without any are left out. */
export async function rowsOfProject(
  dataSource: DataSource,
  projectId: string,
): Promise<Record<string, number>> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'project_id' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const sql = `SELECT count(*)::int AS count FROM "${name}" WHERE project_id = $1`;
    const [row] = await dataSource.query<{ count: number }[]>(sql, [projectId]);
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}
