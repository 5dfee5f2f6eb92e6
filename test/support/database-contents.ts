import type { DataSource } from 'typeorm';

/**
 * Every row of every table as text, without the counters of attempts, last uses of credentials, a queue that a read of a
 * list empties, and the tables of charts, which a report brings up to date.
 */
export type DatabaseContents = ReadonlyMap<string, ReadonlySet<string>>;

/** Last-seen times of people and servers are not content. */
const VOLATILE = `'beat_at', 'generation_used_at', 'last_seen_at', 'last_used_at', 'last_seen_app_version', 'last_seen_platform', 'last_seen_platform_version', 'last_seen_sdk_version'`;

export async function databaseContents(dataSource: DataSource): Promise<DatabaseContents> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('credential_uses', 'rate_limits', 'listed_customer_changes')
       AND (relname NOT LIKE 'chart\\_%' OR relname = 'chart_notes') ORDER BY 1`,
  );
  const contents = new Map<string, ReadonlySet<string>>();
  for (const { name } of tables) {
    const sql = `SELECT (to_jsonb(t) - ARRAY[${VOLATILE}])::text AS row FROM "${name}" t`;
    const rows = await dataSource.query<{ row: string }[]>(sql);
    contents.set(name, new Set(rows.map(({ row }) => row)));
  }
  return contents;
}

/** Rows of `before` that are gone or have changed, and rows that came, by table. */
export function contentChanges(
  before: DatabaseContents,
  after: DatabaseContents,
): { lost: Record<string, string[]>; added: Record<string, string[]> } {
  const difference = (one: DatabaseContents, other: DatabaseContents): Record<string, string[]> =>
    Object.fromEntries(
      [...one]
        .map(([name, rows]) => [name, [...rows].filter((row) => !other.get(name)?.has(row))] as const)
        .filter(([, rows]) => rows.length > 0),
    );
  return { lost: difference(before, after), added: difference(after, before) };
}
