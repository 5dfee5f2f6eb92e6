import { jest } from '@jest/globals';
import { NotificationThrottle } from './notification-throttle.js';

describe('notifications of other sessions', () => {
  let passed: string[];
  let throttle: NotificationThrottle;

  beforeEach(() => {
    jest.useFakeTimers();
    passed = [];
    throttle = new NotificationThrottle((channel, payload) => passed.push(`${channel}:${payload}`));
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('passes the first one on at once, and repeated ones together a second later', () => {
    for (let index = 0; index < 100; index++) throttle.receive('keys', 'a');
    expect(passed).toEqual(['keys:a']);
    jest.advanceTimersByTime(999);
    expect(passed).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(passed).toEqual(['keys:a', 'keys:a']);
    jest.advanceTimersByTime(10_000);
    expect(passed).toHaveLength(2);
  });

  it('does not delay another channel or payload', () => {
    throttle.receive('keys', 'a');
    throttle.receive('keys', 'b');
    throttle.receive('catalog', 'a');
    expect(passed).toEqual(['keys:a', 'keys:b', 'catalog:a']);
  });

  it('passes a flood of different ones on as one change of everything', () => {
    for (let index = 0; index < 50_000; index++) throttle.receive('keys', `${index}`);
    expect(passed).toHaveLength(1_001);
    expect(passed.at(-1)).toBe('keys:');
    jest.advanceTimersByTime(1_000);
    expect(passed).toHaveLength(1_002);
  });
});
