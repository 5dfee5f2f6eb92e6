import fc from 'fast-check';
import { nextAnswer } from './answer-schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const failed = { id: 'rfrq1', deadlineMs: 12 * HOUR_MS, retryAfterMs: null };

describe('attempts to answer a refund request', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [4, 60],
    [9, 60],
  ])('pauses after attempt %i for at most %i minutes, and at most a tenth less', (attempts, minutes) => {
    const pauseMs = nextAnswer({ ...failed, attempts }, 0).getTime();
    expect(pauseMs).toBeLessThanOrEqual(minutes * MINUTE_MS);
    expect(pauseMs).toBeGreaterThanOrEqual(0.9 * minutes * MINUTE_MS);
  });

  it('waits as long as the store asks', () => {
    const retryAfterMs = 40 * MINUTE_MS;
    expect(nextAnswer({ ...failed, attempts: 1, retryAfterMs }, 0).getTime()).toBe(retryAfterMs);
  });

  it('tries for the last time five minutes before the deadline', () => {
    const nowMs = failed.deadlineMs - 30 * MINUTE_MS;
    const next = nextAnswer({ ...failed, attempts: 6 }, nowMs);
    expect(next.getTime()).toBe(failed.deadlineMs - 5 * MINUTE_MS);
    expect(nextAnswer({ ...failed, attempts: 7 }, next.getTime()).getTime()).toBe(failed.deadlineMs);
  });

  it('never schedules anything in the past or after the deadline', () => {
    const attempt = fc.record({
      attempts: fc.integer({ min: 1, max: 50 }),
      nowMs: fc.integer({ min: 0, max: failed.deadlineMs }),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 48 * HOUR_MS })),
    });
    fc.assert(
      fc.property(attempt, ({ attempts, nowMs, retryAfterMs }) => {
        const nextMs = nextAnswer({ ...failed, attempts, retryAfterMs }, nowMs).getTime();
        return nextMs >= nowMs && nextMs <= failed.deadlineMs;
      }),
    );
  });
});
