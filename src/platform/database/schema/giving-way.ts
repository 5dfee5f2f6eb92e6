import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../database-errors.js';

const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 60;
/** Lock not available, deadlock. */
const IN_THE_WAY = new Set<string | undefined>(['55P03', '40P01']);

/**
 * Retries a step of a migration until it gets its locks while servers are running. Other statements queue behind its
 * lock request, so each attempt waits only briefly and fails as a whole.
 */
export async function givingWay<T>(work: () => Promise<T>, pauseMs = PAUSE_MS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!IN_THE_WAY.has(sqlState(error)) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(pauseMs);
    }
  }
}
