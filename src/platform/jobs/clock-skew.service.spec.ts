import { ManualClock } from '../../../libs/kernel/index.js';
import { measureSkew, type Skew } from './clock-skew.service.js';

/** Measures a process that is `aheadMs` ahead, over a network where readings take `roundTrips` (ms). */
function measured(aheadMs: number, roundTrips: [there: number, back: number][]): Promise<Skew> {
  const real = new ManualClock(1_000_000);
  const own = { nowMs: () => real.nowMs() + aheadMs };
  let reading = 0;
  const databaseMs = (): Promise<number> => {
    const [there, back] = roundTrips[reading++] ?? [0, 0];
    real.advanceMs(there);
    const atMs = real.nowMs();
    real.advanceMs(back);
    return Promise.resolve(atMs);
  };
  return measureSkew(databaseMs, own, () => real.nowMs());
}

describe('the skew of a clock', () => {
  it.each([180_000, 0, -180_000])('equals the lead of the process: %d ms', async (aheadMs) => {
    const equal: [number, number] = [20, 20];
    expect(await measured(aheadMs, [equal, equal, equal])).toEqual({
      skewMs: aheadMs,
      roundTripMs: 40,
      databaseMs: 1_000_040,
      monotonicMs: 1_000_040,
    });
  });

  it('uses the quickest reading', async () => {
    const { skewMs, roundTripMs } = await measured(5_000, [
      [3_000, 10],
      [4, 6],
      [10, 900],
    ]);
    expect([skewMs, roundTripMs]).toEqual([5_001, 10]);
  });
});
