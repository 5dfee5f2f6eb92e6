import type { Clock } from '../../libs/kernel/index.js';
import { gaugeReading } from '../observability/gauge-reading.js';

type OldestDue = () => Promise<Date | null>;

/**
 * How long work has been waiting that was due at the moments `oldestDue` find, one after another, seconds; 0 where
 * nothing waits. NaN when it cannot be told.
 */
export async function dueAgesSeconds(clock: Clock, oldestDue: OldestDue[]): Promise<number[]> {
  const found = await gaugeReading(async () => {
    const moments: (Date | null)[] = [];
    for (const oldest of oldestDue) moments.push(await oldest());
    return moments;
  });
  if (found === null) return oldestDue.map(() => Number.NaN);
  return found.map((dueAt) => (dueAt ? Math.max(0, clock.nowMs() - dueAt.getTime()) / 1000 : 0));
}

/** As `dueAgesSeconds`, of one queue. */
export async function dueAgeSeconds(clock: Clock, oldestDue: OldestDue): Promise<number> {
  const [age = Number.NaN] = await dueAgesSeconds(clock, [oldestDue]);
  return age;
}
