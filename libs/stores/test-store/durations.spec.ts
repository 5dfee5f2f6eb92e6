import { addPeriods } from '../../kernel/index.js';
import { gracePeriod, paidPeriod, trialPeriod } from './durations.js';

const accelerated = true;
const minutesOf = (period: ReturnType<typeof paidPeriod>): number => addPeriods(0, period) / 60_000;

describe('durations of the Test Store', () => {
  it.each([
    ['P1W', 5],
    ['P1M', 5],
    ['P2M', 10],
    ['P3M', 15],
    ['P6M', 30],
    ['P1Y', 60],
    [null, 5],
    ['P3D', 5],
    ['PT30S', 5],
    ['P45D', 7.5],
    ['P4M', 20],
    ['P1Y6M', 90],
    ['P2Y', 120],
  ])('shortens a subscription of %s when accelerated: %d minutes', (duration, minutes) => {
    expect(minutesOf(paidPeriod({ duration, accelerated }))).toBe(minutes);
  });

  it.each([
    ['PT1H', 1],
    ['P3D', 1],
    ['P15D', 2.5],
    ['P1M', 5],
    ['P2M', 10],
  ])('shortens a trial or grace of %s when accelerated: %d minutes', (duration, minutes) => {
    expect(minutesOf(trialPeriod({ trialDuration: duration, accelerated }))).toBe(minutes);
    expect(minutesOf(gracePeriod({ accelerated }, duration))).toBe(minutes);
  });

  it('follows the calendar otherwise', () => {
    const january = Date.UTC(2026, 0, 31);
    expect(addPeriods(january, paidPeriod({ duration: 'P1M' }))).toBe(Date.UTC(2026, 1, 28));
    expect(addPeriods(january, paidPeriod({ duration: null, accelerated: false }))).toBe(
      Date.UTC(2026, 1, 28),
    );
    expect(addPeriods(january, trialPeriod({ trialDuration: null }))).toBe(Date.UTC(2026, 1, 7));
    expect(addPeriods(january, gracePeriod({}, 'P3D'))).toBe(Date.UTC(2026, 1, 3));
  });
});
