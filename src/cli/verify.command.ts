import { readFile } from 'node:fs/promises';
import type { EntityManager } from 'typeorm';
import { CommandFailed } from './command-failed.js';
import { inOneSnapshot, print, withDatabase } from './context.js';
import { dump } from './dump.js';
import { quoted, type Table, tablesOf } from './tables.js';

interface TableSum {
  rows: number;
  /** Equal for equal rows in any order. */
  checksum: string;
}

export type DatabaseSums = Record<string, TableSum>;

export async function sumsOf(manager: EntityManager): Promise<DatabaseSums> {
  const sums: DatabaseSums = {};
  for (const table of await tablesOf(manager)) sums[table.name] = await sumOf(manager, table);
  return sums;
}

async function sumOf(manager: EntityManager, { name, columns }: Table): Promise<TableSum> {
  // Sorted by name, so that dropped and re-added columns do not change the sum.
  const row = `ROW(${[...columns].sort().map(quoted).join(', ')})::text`;
  const [sum] = await manager.query<TableSum[]>(
    `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(${row}, 0)::numeric), 0)::text AS checksum
     FROM ${quoted(name)}`,
  );
  if (!sum) throw new Error('an aggregate gave no row');
  return sum;
}

export function differences(before: DatabaseSums, now: DatabaseSums): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((table) => {
    const [a, b] = [before[table], now[table]];
    if (!a) return [`${table}: was not there`];
    if (!b) return [`${table}: is gone`];
    if (a.rows !== b.rows) return [`${table}: ${a.rows} rows then, ${b.rows} now`];
    return a.checksum === b.checksum ? [] : [`${table}: the same number of rows, but not the same content`];
  });
}

async function sumsIn(file: string): Promise<DatabaseSums> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DatabaseSums;
  } catch (error) {
    throw new CommandFailed(`${file} is not the output of tenure verify: ${(error as Error).message}`);
  }
}

/** With `against`, fails if anything differs. With `dump`, backs up exactly these rows, despite concurrent writes. */
export async function verify({ against, dump: file }: { against?: string; dump?: string }): Promise<void> {
  const before = against === undefined ? null : await sumsIn(against);
  await withDatabase(async ({ dataSource, config }) => {
    const sums = await inOneSnapshot(dataSource, async (manager) => {
      const found = await sumsOf(manager);
      if (file !== undefined) {
        const [row] = await manager.query<{ snapshot: string }[]>('SELECT pg_export_snapshot() AS snapshot');
        await dump(config.directDatabaseUrl ?? config.databaseUrl ?? '', row?.snapshot ?? '', file);
      }
      return found;
    });
    if (before === null) {
      print(JSON.stringify(sums, null, 2));
      return;
    }
    const found = differences(before, sums);
    if (found.length > 0) throw new CommandFailed(found.join('\n'));
    print(`${Object.keys(sums).length} tables hold the same rows.`);
  });
}
