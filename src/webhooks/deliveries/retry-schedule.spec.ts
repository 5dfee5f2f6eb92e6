import fc from 'fast-check';
import { nextAttempt, retryAfterMs } from './retry-schedule.js';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const wait = (attempts: number, asked: number | null = null, deliveryId = 'whd_a'): number | null => {
  const at = nextAttempt({ deliveryId, attempts, retryAfterMs: asked }, nowMs);
  return at && at.getTime() - nowMs;
};

describe('the retry schedule', () => {
  it('waits 5, 10, 20, 40 and 80 minutes and up to a twentieth more, and ends with the sixth attempt', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (id, attempts) => {
        const minutes = 5 * 2 ** (attempts - 1);
        const ms = wait(attempts, null, id) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(minutes * 60_000);
        expect(ms).toBeLessThanOrEqual(minutes * 63_000);
        expect(wait(attempts, null, id)).toBe(ms);
      }),
    );
    expect([wait(6), wait(7), wait(100)]).toEqual([null, null, null]);
  });

  it('spreads deliveries that failed together', () => {
    const waits = Array.from({ length: 100 }, (_, index) => wait(1, null, `whd_${index}`) ?? 0);
    const sorted = waits.toSorted((a, b) => a - b);
    expect(sorted[10]).toBeLessThan(5.06 * 60_000);
    expect(sorted[90]).toBeGreaterThan(5.19 * 60_000);
  });

  it('waits longer when the endpoint asks for it, for two hours at most, and never shorter', () => {
    expect(wait(1, 3_600_000)).toBe(3_600_000);
    expect(wait(1, 86_400_000)).toBe(2 * 3_600_000);
    expect(wait(1, 1000)).toBe(wait(1));
    expect(wait(6, 1000)).toBeNull();
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['99999999999', null],
    ['soon', null],
    ['Soon', null],
    ['', null],
    [undefined, null],
  ])('%j is %j ms', (header, ms) => {
    expect(retryAfterMs(header, nowMs)).toBe(ms);
  });
});
