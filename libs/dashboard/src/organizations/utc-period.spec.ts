import { periodOf } from './utc-period.js';

it.each([
  [{}, {}],
  [{ from: '2026-03-01' }, { start_time: Date.UTC(2026, 2, 1) }],
  [
    { from: '2026-03-01', to: '2026-03-01' },
    { start_time: Date.UTC(2026, 2, 1), end_time: Date.UTC(2026, 2, 2) },
  ],
])('a period of UTC days has its last day in it: %j', (days, period) => {
  expect(periodOf(days)).toEqual(period);
});
