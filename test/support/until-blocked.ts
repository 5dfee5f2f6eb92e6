import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from './test-server.js';

const PAUSE_MS = 20;
const MAX_LOOKS = 1_500;

/** Comes back when `count` sessions of the server's database wait for a lock. */
export async function untilBlocked(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  count: number,
): Promise<void> {
  const locked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    if ((await dataSource.query<unknown[]>(locked)).length >= count) return;
    await sleep(PAUSE_MS);
  }
  throw new Error(`fewer than ${count} sessions wait for a lock`);
}
