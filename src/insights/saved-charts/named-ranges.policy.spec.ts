import { pictureResolution, type RangeName, spanOf } from './named-ranges.policy.js';

const TODAY = Date.parse('2026-05-10T12:00:00Z');

it.each<[RangeName, string, string]>([
  ['7d', '2026-05-04', '2026-05-10'],
  ['28d', '2026-04-13', '2026-05-10'],
  ['90d', '2026-02-10', '2026-05-10'],
  ['12m', '2025-06-01', '2026-05-10'],
  ['this_month', '2026-05-01', '2026-05-10'],
  ['last_month', '2026-04-01', '2026-04-30'],
  ['this_quarter', '2026-04-01', '2026-05-10'],
  ['last_quarter', '2026-01-01', '2026-03-31'],
  ['ytd', '2026-01-01', '2026-05-10'],
  ['last_year', '2025-01-01', '2025-12-31'],
])('returns the days of %s', (range, start_date, end_date) => {
  expect(spanOf(range, TODAY)).toEqual({ start_date, end_date });
});

it('fills in the missing day of a custom range', () => {
  expect(spanOf('custom', TODAY)).toEqual({ start_date: '2026-04-13', end_date: '2026-05-10' });
  expect(spanOf('custom', TODAY, { end_date: '2026-01-28' })).toEqual({
    start_date: '2026-01-01',
    end_date: '2026-01-28',
  });
  expect(spanOf('custom', TODAY, { start_date: '2026-05-01' })).toEqual({
    start_date: '2026-05-01',
    end_date: '2026-05-10',
  });
});

it.each([
  ['2026-05-10', 'day'],
  ['2026-05-31', 'day'],
  ['2026-06-01', 'week'],
  ['2026-11-16', 'week'],
  ['2026-11-17', 'month'],
])('draws May 1 to %s by %s', (end_date, resolution) => {
  expect(pictureResolution({ start_date: '2026-05-01', end_date })).toBe(resolution);
});
