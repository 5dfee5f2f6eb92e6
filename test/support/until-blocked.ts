import type { TestServer } from './test-server.js';

/** Comes back when `count` sessions of the server's database wait for a lock. */
export async function untilBlocked(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  count: number,
): Promise<void> {
  const locked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await dataSource.query<unknown[]>(locked)).length < count);
}
