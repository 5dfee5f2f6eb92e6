import { nextForwarding, nextProcessing } from './notification-retries.js';

const HOUR = 3_600_000;

/** Returns the times of all attempts if each fails at once. */
function attempts(next: (made: number, nowMs: number) => Date | null): number[] {
  const times = [0];
  for (;;) {
    const at = next(times.length, times.at(-1) ?? 0);
    if (at === null) return times;
    times.push(at.getTime());
  }
}

it('tries a notification twenty times in three days', () => {
  const times = attempts((made, nowMs) => nextProcessing(made, nowMs, null));
  expect(times).toHaveLength(20);
  expect(times.at(-1)).toBeGreaterThan(70 * HOUR);
  expect(times.at(-1)).toBeLessThanOrEqual(72 * HOUR);
});

it('sends a copy at most five times', () => {
  expect(attempts(nextForwarding)).toHaveLength(5);
});

it("respects the store's own retry time, up to a day", () => {
  expect(nextProcessing(1, 0, 2 * HOUR)?.getTime()).toBe(2 * HOUR);
  expect(nextProcessing(1, 0, 1000 * HOUR)?.getTime()).toBe(24 * HOUR);
  expect(nextProcessing(10, 0, 5)?.getTime()).toBe(2 * HOUR);
});
