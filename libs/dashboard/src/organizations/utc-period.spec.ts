import { periodOf } from './utc-period.js';

it.each([
  [{}, {}],
  [{ from: '2026-03-01' }, { start_time: Date.UTC(2026, 2, 1) }],
  [
    { from: '2026-03-01', to: '2026-03-01' },
    { start_time: Date.UTC(2026, 2, 1), end_time: Date.UTC(2026, 2, 2) },
  ],
])('includes the last day in a period of UTC days: %j', (days, period) => {
  expect(periodOf(days)).toEqual(period);
});
