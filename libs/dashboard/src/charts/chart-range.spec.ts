import { formatDay } from '../ui/format/format-time.js';
import { bucketLabel, spanBefore, spanOf, usualResolution } from './chart-range.js';

describe('spanOf', () => {
  it.each([
    ['7d', { start: '2026-11-18', end: '2026-11-24' }],
    ['28d', { start: '2026-10-28', end: '2026-11-24' }],
    ['12m', { start: '2025-12-01', end: '2026-11-24' }],
    ['ytd', { start: '2026-01-01', end: '2026-11-24' }],
  ] as const)('%s ends today', (range, span) => {
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
