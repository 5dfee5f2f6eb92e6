import fc from 'fast-check';
import { Pace } from './pace.js';

describe('a pace', () => {
  it('never lets more be done than its rate and a twentieth of a second of it, whatever the pieces', () => {
    const pieces = fc.array(fc.record({ count: fc.nat(50), takesMs: fc.nat(40) }), { maxLength: 100 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), pieces, (perSecond, work) => {
        let nowMs = 0;
        let done = 0;
        const pace = new Pace(perSecond, () => nowMs);
        for (const { count, takesMs } of work) {
          nowMs += takesMs;
          done += count;
          nowMs += pace.pauseAfter(count);
          expect(done).toBeLessThanOrEqual(((nowMs + 50) * perSecond) / 1000 + 1e-6);
        }
      }),
    );
  });

  it('does not slow down what is already slower, and keeps its rate where single pieces are slow', () => {
    let nowMs = 0;
    const pace = new Pace(1_000, () => nowMs);
    for (let piece = 0; piece < 20; piece++) {
      nowMs += 15;
      expect(pace.pauseAfter(10)).toBe(0);
    }
    nowMs += 40;
    // The 40 ms are caught up.
    expect([10, 10, 10, 10].map((count) => pace.pauseAfter(count))).toEqual([0, 0, 0, 0]);
    expect(pace.pauseAfter(30)).toBeGreaterThan(0);
  });
});
