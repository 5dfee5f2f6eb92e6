import { formatDay } from '../ui/format/format-time.js';
import { bucketLabel, pictureResolution, spanBefore, spanOf, usualResolution } from './chart-range.js';

describe('spanOf', () => {
  it.each([
    ['7d', { start: '2026-11-18', end: '2026-11-24' }],
    ['28d', { start: '2026-10-28', end: '2026-11-24' }],
    ['12m', { start: '2025-12-01', end: '2026-11-24' }],
    ['ytd', { start: '2026-01-01', end: '2026-11-24' }],
    ['this_month', { start: '2026-11-01', end: '2026-11-24' }],
    ['this_quarter', { start: '2026-10-01', end: '2026-11-24' }],
    ['last_month', { start: '2026-10-01', end: '2026-10-31' }],
    ['last_quarter', { start: '2026-07-01', end: '2026-09-30' }],
    ['last_year', { start: '2025-01-01', end: '2025-12-31' }],
  ] as const)('returns the days of %s', (range, span) => {
    expect(spanOf(range, '2026-11-24')).toEqual(span);
  });

  it('takes the days of a custom range in their order', () => {
    const span = spanOf('custom', '2026-11-24', { start: '2026-03-31', end: '2026-03-01' });
    expect(span).toEqual({ start: '2026-03-01', end: '2026-03-31' });
    expect(spanOf('custom', '2026-11-24', { end: '2026-03-28' }).start).toBe('2026-03-01');
  });
});

describe('usualResolution', () => {
  it.each([
    ['2026-11-01', '2026-11-24', 'day'],
    ['2026-06-01', '2026-11-24', 'week'],
    ['2025-12-01', '2026-11-24', 'month'],
  ])('returns for %s to %s: %s', (start, end, resolution) => {
    expect(usualResolution({ start, end })).toBe(resolution);
  });
});

describe('pictureResolution', () => {
  it.each([
    ['28d', 'day'],
    ['last_quarter', 'week'],
    ['12m', 'month'],
  ] as const)('returns for %s: %s', (range, resolution) => {
    expect(pictureResolution(spanOf(range, '2026-11-24'))).toBe(resolution);
  });
});

describe('spanBefore', () => {
  it.each([
    ['day', '2026-11-18', '2026-11-24', '2026-11-11', '2026-11-17'],
    ['week', '2026-11-15', '2026-11-24', '2026-11-01', '2026-11-10'],
    ['month', '2025-12-01', '2026-11-24', '2024-12-01', '2025-11-30'],
    ['month', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['quarter', '2026-04-01', '2026-09-30', '2025-10-01', '2026-03-31'],
    ['year', '2026-01-01', '2026-11-24', '2025-01-01', '2025-11-30'],
  ] as const)('shifts by %s: %s to %s', (resolution, start, end, before, beforeEnd) => {
    expect(spanBefore({ start, end }, resolution)).toEqual({ start: before, end: beforeEnd });
  });
});

describe('spanBefore of a range that follows the calendar', () => {
  it.each([
    ['last_quarter', '2026-04-01', '2026-06-30'],
    ['last_month', '2026-09-01', '2026-09-30'],
    ['last_year', '2024-01-01', '2024-12-31'],
    ['this_quarter', '2026-07-01', '2026-08-24'],
    ['this_month', '2026-10-01', '2026-10-24'],
    ['ytd', '2025-01-01', '2025-11-24'],
  ] as const)('returns the period before %s', (range, start, end) => {
    expect(spanBefore(spanOf(range, '2026-11-24'), 'day', range)).toEqual({ start, end });
  });

  it('never reaches into the period itself', () => {
    expect(spanBefore(spanOf('this_month', '2026-03-31'), 'day', 'this_month')).toEqual({
      start: '2026-02-01',
      end: '2026-02-28',
    });
  });
});

describe('bucketLabel', () => {
  it.each([
    ['day', 'Nov 2, 2026'],
    ['month', 'Nov 2026'],
    ['quarter', 'Q4 2026'],
    ['year', '2026'],
  ] as const)('names a %s', (resolution, label) => {
    expect(bucketLabel('en-US', '2026-11-02', resolution, formatDay)).toBe(label);
  });

  it('gives a name that is no day back', () => {
    expect(bucketLabel('en-US', 'US', 'day', formatDay)).toBe('US');
  });
});
