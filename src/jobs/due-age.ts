import type { Clock } from '../../libs/kernel/index.js';

/**
 * How long work has been waiting that was due at the moment `oldestDue` finds, seconds; 0 when nothing waits. NaN when
 * it cannot be told: the other metrics are wanted most of all while the database is away.
 */
export async function dueAgeSeconds(clock: Clock, oldestDue: () => Promise<Date | null>): Promise<number> {
  try {
    const dueAt = await oldestDue();
    return dueAt ? Math.max(0, clock.nowMs() - dueAt.getTime()) / 1000 : 0;
  } catch {
    return Number.NaN;
  }
}
