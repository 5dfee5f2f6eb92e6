import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends requests at a steady rate while `continues`, whether or not earlier ones are answered: their times (ms), and how
 * many failed for which reason. `lateMs`: the longest time by which this process itself was late.
 */
export async function steadily(perSecond, continues, send) {
  const times = [];
  const running = [];
  const failures = {};
  let lateMs = 0;
  const from = performance.now();
  for (let count = 0; continues(performance.now() - from); count++) {
    const waitMs = from + (count * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    lateMs = Math.max(lateMs, performance.now() - from - (count * 1_000) / perSecond);
    const startedAt = performance.now();
    const sent = send().then(
      () => times.push(performance.now() - startedAt),
      ({ message }) => (failures[message] = (failures[message] ?? 0) + 1),
    );
    running.push(sent);
  }
  await Promise.all(running);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { times, failed, failures, lateMs };
}
