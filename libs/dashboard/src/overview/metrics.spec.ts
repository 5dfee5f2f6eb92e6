import { changeOf, lineOf } from './metrics.js';

it.each([
  [110, 100, { kind: 'share', share: 0.1 }],
  [0, 100, { kind: 'share', share: -1 }],
  [7, 7, { kind: 'same' }],
  [0, 0, { kind: 'same' }],
  [5, 0, { kind: 'from-nothing' }],
  [5, -10, { kind: 'from-nothing' }],
])('from %s after %s is %j', (value, previous, change) => {
  expect(changeOf({ value, previous_value: previous })).toEqual(change);
});

describe('the line of a metric', () => {
  it('parts today from the days that are over', () => {
    expect(lineOf([0, 5, 10], 100, 20)).toEqual({ past: '0,20 50,10', today: '50,10 100,0', zero: 20 });
  });

  it('lies at the foot when there is nothing, and knows refunds', () => {
    expect(lineOf([0, 0], 10, 20)).toEqual({ past: '0,20', today: '0,20 10,20', zero: 20 });
    expect(lineOf([-5, 5], 10, 20)).toEqual({ past: '0,20', today: '0,20 10,0', zero: 10 });
  });
});
