import { changeOf } from './metrics.js';

it.each([
  [110, 100, { kind: 'share', share: 0.1 }],
  [0, 100, { kind: 'share', share: -1 }],
  [7, 7, { kind: 'same' }],
  [0, 0, { kind: 'same' }],
  [5, 0, { kind: 'from-nothing' }],
  [5, -10, { kind: 'from-nothing' }],
])('compares %s after %s: %j', (value, previous, change) => {
  expect(changeOf({ value, previous_value: previous })).toEqual(change);
});
