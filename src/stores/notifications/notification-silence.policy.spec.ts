import fc from 'fast-check';
import { flowOf } from './notification-silence.policy.js';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 10);

/** Returns arrivals separated by the given pauses, the last one `silentHours` ago. */
function arrivals(silentHours: number, pausesHours: number[]): number[] {
  let atMs = NOW_MS - silentHours * HOUR_MS;
  return [atMs, ...pausesHours.map((hours) => (atMs -= hours * HOUR_MS))];
}

const hourly = new Array<number>(9).fill(1);

describe('notifications of a store', () => {
  it.each([
    ['that never came', [], 'unclear'],
    ['that are too few to judge by', arrivals(900, hourly.slice(1)), 'unclear'],
    ['that come every hour', arrivals(1, hourly), 'arriving'],
    ['that came every hour, a day ago', arrivals(24, hourly), 'arriving'],
    ['that came every hour, more than a day ago', arrivals(24.1, hourly), 'overdue'],
    ['with one long pause, three times as long ago', arrivals(90, [...hourly, 30]), 'arriving'],
    ['with one long pause, longer ago', arrivals(90.1, [...hourly, 30]), 'overdue'],
    ['that come weekly, two weeks ago', arrivals(14 * 24, new Array<number>(9).fill(7 * 24)), 'arriving'],
  ] as const)('%s', (_, heardAtMs, expected) => {
    expect(flowOf(heardAtMs, NOW_MS)).toBe(expected);
  });

  it('counts none as overdue within a day, then as overdue until one arrives', () => {
    const pauses = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 9, maxLength: 50 });
    const hours = fc.double({ min: 0, max: 4000, noNaN: true });
    fc.assert(
      fc.property(pauses, hours, hours, (between, silent, more) => {
        const heard = arrivals(silent, between);
        const flow = flowOf(heard, NOW_MS);
        if (silent <= 24) expect(flow).toBe('arriving');
        if (flow === 'overdue') {
          const laterMs = NOW_MS + more * HOUR_MS;
          expect(flowOf(heard, laterMs)).toBe('overdue');
          expect(flowOf([laterMs, ...heard], laterMs)).toBe('arriving');
        }
      }),
    );
  });
});
