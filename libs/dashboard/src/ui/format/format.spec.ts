import fc from 'fast-check';
import { formatAxisMoney, formatMoney, fromMicros } from './format-money.js';
import { formatFullNumber, formatNumber, formatPercent } from './format-number.js';
import {
  addDays,
  dayToMs,
  formatDateTime,
  formatDay,
  formatFullTime,
  formatRelative,
  msToDay,
  toMs,
} from './format-time.js';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [1234, '1,234'],
    [999_999, '999,999'],
    [1_000_000, '1M'],
    [12_345_678, '12.35M'],
    [-5, '−5'],
    [null, '—'],
    [undefined, '—'],
    [Number.NaN, '—'],
  ])('writes %p as %s', (value, text) => {
    expect(formatNumber('en', value)).toBe(text);
  });

  it('has every digit in the full form, and one decimal in a share', () => {
    expect(formatFullNumber('en', 12_345_678)).toBe('12,345,678');
    expect(formatPercent('en', 0.1234)).toBe('12.3%');
    expect(formatPercent('en', -1)).toBe('−100.0%');
    expect(formatPercent('en', null)).toBe('—');
  });
});

describe('money', () => {
  it.each([
    [9.99, 'USD', '$9.99'],
    [-9.99, 'USD', '−$9.99'],
    [0, 'USD', '$0.00'],
    [1200, 'JPY', '¥1,200'],
    [1.5, 'KWD', 'KWD\u00a01.500'],
    [1481.02, 'EUR', '€1,481.02'],
    [5, 'CAD', 'CA$5.00'],
    [5, 'not a code', '5 not a code'],
    [null, 'USD', '—'],
  ])('writes %p %s as %s', (amount, currency, text) => {
    expect(formatMoney('en', amount, currency)).toBe(text);
  });

  it.each([
    [2000, 'EUR', '€2K'],
    [-1000, 'USD', '−$1K'],
    [0, 'USD', '$0'],
    [0.5, 'USD', '$0.5'],
    [1_250_000, 'JPY', '¥1.25M'],
    [200, 'not a code', '200'],
  ])('writes %p %s as %s on an axis', (amount, currency, text) => {
    expect(formatAxisMoney('en', amount, currency)).toBe(text);
  });

  it('shortens when asked', () => {
    expect(formatMoney('en', 1_234_567, 'USD', { compact: true })).toBe('$1.23M');
    expect(formatMoney('en', 999_999, 'USD', { compact: true })).toBe('$999,999.00');
  });

  it('divides millionths exactly', () => {
    expect(fromMicros(9_990_000)).toBe(9.99);
    expect(fromMicros('-1')).toBe(-0.000001);
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
        expect(fromMicros(BigInt(cents) * 10_000n)).toBe(Number((cents / 100).toFixed(2)) + 0);
      }),
    );
  });
});

describe('times', () => {
  const now = Date.UTC(2026, 10, 23, 14, 3);
  const ago = (ms: number) => formatRelative('en', now - ms, now);

  it('shows them relative up to 7 days', () => {
    expect(ago(0)).toBe('now');
    expect(ago(30_000)).toBe('30 sec ago');
    expect(ago(180_000)).toBe('3 min ago');
    expect(ago(7_200_000)).toBe('2 hr ago');
    expect(ago(36 * 3_600_000)).toBe('1 day ago');
    expect(ago(-3 * 3_600_000)).toBe('in 3 hr');
    expect(ago(8 * 86_400_000)).toBeNull();
  });

  it.each([
    ['Pacific/Auckland', '24 Nov 2026, 03:03', 'GMT+13'],
    ['America/Los_Angeles', '23 Nov 2026, 06:03', 'GMT-8'],
    ['UTC', '23 Nov 2026, 14:03', 'UTC'],
  ])('uses the zone %s', (timeZone, text, zone) => {
    expect(formatDateTime({ locale: 'en-GB', timeZone }, now)).toBe(text);
    expect(formatFullTime({ locale: 'en-GB', timeZone }, now)).toContain(zone);
  });

  it('returns null for none', () => {
    expect([toMs('nonsense'), toMs(null), toMs(''), toMs(9e15), toMs(Number.NaN)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(toMs('2026-11-23T14:03:00Z')).toBe(now);
  });
});

describe('UTC days', () => {
  it('returns the same day in every zone', () => {
    expect(formatDay('en-GB', '2026-11-23')).toBe('23 Nov 2026');
    expect(formatDay('en-GB', '2026-11-23', true)).toBe('23 Nov');
  });

  it('covers every time from midnight UTC to the next, whatever the clocks of a zone do', () => {
    const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2090, 0) });
    fc.assert(
      fc.property(times, (ms) => {
        const day = msToDay(ms);
        expect(dayToMs(day)!).toBeLessThanOrEqual(ms);
        expect(dayToMs(addDays(day, 1))!).toBeGreaterThan(ms);
        expect(dayToMs(addDays(day, 1))! - dayToMs(day)!).toBe(86_400_000);
      }),
    );
  });

  it('returns them as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -400, max: 400 }), (day, step) => {
        const text = msToDay(day * 86_400_000);
        expect(dayToMs(text)).toBe(day * 86_400_000);
        expect(addDays(addDays(text, step + 400), -step - 400)).toBe(text);
      }),
    );
  });

  it('rejects anything else', () => {
    expect(['2026-02-30', '2026-1-1', '', '2026-11-23T00:00'].map(dayToMs)).toEqual([null, null, null, null]);
    expect(formatDay('en', 'unknown')).toBe('unknown');
  });
});
