import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { TestServer } from './test-server.js';

const SECOND_MS = 1_000;

/**
 * Asks the stores about everything that is due, also what waits for its turn because a store may only be asked so often:
 * the clock advances by a second for each part.
 */
export async function refreshAll({ app, dataSource, clock }: TestServer): Promise<void> {
  for (;;) {
    await app.get(StoreRefreshJob).drain();
    const soon = new Date(clock.nowMs() + SECOND_MS);
    const waiting = await dataSource.query<unknown[]>(
      'SELECT 1 FROM store_refreshes WHERE due_at <= $1 LIMIT 1',
      [soon],
    );
    if (waiting.length === 0) return;
    clock.advanceMs(SECOND_MS);
  }
}
