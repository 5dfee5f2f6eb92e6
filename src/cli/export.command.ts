import type { EntityManager } from 'typeorm';
import { CommandFailed } from './command-failed.js';
import { inOneSnapshot, withDatabase } from './context.js';
import { written } from './output.js';
import { quoted, type Table, tablesOf } from './tables.js';

const ROWS_AT_ONCE = 1000;

/**
 * Writes JSON lines `{"table", "row"}` from one snapshot, in key order. Sealed columns stay sealed: keep the encryption
 * key.
 */
export function exportProject({ project }: { project: string }): Promise<void> {
  return withDatabase(({ dataSource }) =>
    inOneSnapshot(dataSource, async (manager) => {
      const found = await manager.query<unknown[]>('SELECT 1 FROM projects WHERE id = $1', [project]);
      if (found.length === 0) throw new CommandFailed(`There is no project ${project}.`);
      await writeTable(manager, { name: 'projects', columns: ['id'], key: ['id'] }, 'id', project);
      for (const table of await tablesOf(manager)) {
        if (table.columns.includes('project_id')) await writeTable(manager, table, 'project_id', project);
      }
    }),
  );
}

async function writeTable(
  manager: EntityManager,
  { name, key }: Table,
  tenant: string,
  project: string,
): Promise<void> {
  const order = key.length > 0 ? `ORDER BY ${key.map(quoted).join(', ')}` : '';
  await manager.query(
    `DECLARE rows NO SCROLL CURSOR FOR
     SELECT json_build_object('table', ${literal(name)}, 'row', row_to_json(t))::text AS line
     FROM ${quoted(name)} t WHERE ${quoted(tenant)} = ${literal(project)} ${order}`,
  );
  for (;;) {
    const lines = await manager.query<{ line: string }[]>(`FETCH ${ROWS_AT_ONCE} FROM rows`);
    const text = lines.map(({ line }) => `${line}\n`).join('');
    if (text !== '') await written(text);
    if (lines.length < ROWS_AT_ONCE) break;
  }
  await manager.query('CLOSE rows');
}

/** DECLARE takes no parameters. */
function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
