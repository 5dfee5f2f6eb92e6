import { addPeriods, parsePeriod } from '../kernel/index.js';
import { type GrantDuration, grantDurations, grantEnd, grantObservation } from './index.js';
import { SubscriptionHistory, ReportBuilder } from './testing/subscription-history.js';

const utc = (text: string): number => Date.parse(`${text}Z`);
const shown = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

describe('the calendar', () => {
  it.each<[string, string, string[]]>([
    ['31 January, monthly', 'P1M', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['31 January of a leap year, monthly', 'P1M', ['2028-01-31', '2028-02-29', '2028-03-31']],
    ['30 January, monthly', 'P1M', ['2026-01-30', '2026-02-28', '2026-03-30']],
    [
      '31 August, every second month',
      'P2M',
      ['2026-08-31', '2026-10-31', '2026-12-31', '2027-02-28', '2027-04-30'],
    ],
    ['30 November, every third month', 'P3M', ['2026-11-30', '2027-02-28', '2027-05-30']],
    ['31 August, twice a year', 'P6M', ['2026-08-31', '2027-02-28', '2027-08-31', '2028-02-29']],
    ['leap day, yearly', 'P1Y', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['28 February, yearly', 'P1Y', ['2027-02-28', '2028-02-28', '2029-02-28']],
    [
      'a year before a century without a leap day',
      'P1Y',
      ['2096-02-29', '2097-02-28', '2098-02-28', '2099-02-28', '2100-02-28'],
    ],
    ['the end of the year, weekly', 'P1W', ['2026-12-28', '2027-01-04', '2027-01-11']],
  ])(
    '%s: a subscription renews on its first day of the month, or the last of a shorter one',
    (_, duration, days) => {
      const length = parsePeriod(duration);
      if (!length) throw new Error('no duration');
      const times = days.map((text) => utc(`${text}T12:00:00`));
      const history = new SubscriptionHistory('test_store');
      const [first = 0] = times;
      times.slice(1).forEach((endMs, index) => {
        const startMs = addPeriods(first, length, index);
        expect(shown(addPeriods(first, length, index + 1))).toBe(shown(endMs));
        const labels = history.receive(
          new ReportBuilder(startMs).period(index, { startMs, endMs }).renewal(index),
        );
        expect(labels).toEqual([index === 0 ? 'INITIAL_PURCHASE' : 'RENEWAL']);
        expect(history.state).toMatchObject({ givesAccess: true, accessEndsAtMs: endMs, nextDueAtMs: endMs });
      });
    },
  );

  it.each<[string, string, string]>([
    ['into summer time in Europe', '2026-03-28T01:30:00', '2026-03-29T01:30:00'],
    ['out of summer time in Europe', '2026-10-24T01:30:00', '2026-10-25T01:30:00'],
    ['into summer time in America', '2026-03-07T07:30:00', '2026-03-08T07:30:00'],
    ['out of summer time in America', '2026-10-31T06:30:00', '2026-11-01T06:30:00'],
  ])('adds days of 24 hours %s', (_, start, end) => {
    expect(shown(grantEnd('daily', utc(start)))).toBe(end);
  });

  it.each<[GrantDuration, string, string]>([
    ['daily', '2026-02-28T23:59:59', '2026-03-01T23:59:59'],
    ['daily', '2028-02-28T23:59:59', '2028-02-29T23:59:59'],
    ['three_day', '2026-12-30T00:00:00', '2027-01-02T00:00:00'],
    ['weekly', '2026-02-25T10:00:00', '2026-03-04T10:00:00'],
    ['two_week', '2028-02-20T10:00:00', '2028-03-05T10:00:00'],
    ['monthly', '2026-01-31T10:00:00', '2026-02-28T10:00:00'],
    ['monthly', '2028-01-31T10:00:00', '2028-02-29T10:00:00'],
    ['two_month', '2026-12-31T10:00:00', '2027-02-28T10:00:00'],
    ['three_month', '2026-11-30T10:00:00', '2027-02-28T10:00:00'],
    ['six_month', '2026-08-31T10:00:00', '2027-02-28T10:00:00'],
    ['yearly', '2028-02-29T10:00:00', '2029-02-28T10:00:00'],
    ['lifetime', '2026-01-01T00:00:00', '2226-01-01T00:00:00'],
  ])('ends a %s grant of %s at %s', (duration, start, end) => {
    const grantedAtMs = utc(start);
    const endMs = grantEnd(duration, grantedAtMs);
    expect(shown(endMs)).toBe(end);
    const grant = { key: 'g', storeProductId: 'rc_promo_pro_x', transactionId: 'g', grantedAtMs, endMs };
    const history = new SubscriptionHistory('promotional');
    history.observe(grantObservation(grant));
    expect(history.state.accessEndsAtMs).toBe(endMs);
  });

  it('has a length for every named duration', () => {
    expect(grantDurations.every((duration) => grantEnd(duration, 0) > 0)).toBe(true);
  });
});
