import fc from 'fast-check';
import { ManualClock } from '../kernel/index.js';
import { CircuitBreaker, CircuitOpen } from './circuit-breaker.js';

const KEY = 'https://store.example com.example.app';

function setUp() {
  const clock = new ManualClock(0);
  const breaker = new CircuitBreaker(() => clock.nowMs());
  const fail = (times: number): void => {
    for (let count = 0; count < times; count++) breaker.failed(KEY);
  };
  return { clock, breaker, fail };
}

it('lets all calls through until five in a row have failed', () => {
  const { breaker, fail } = setUp();
  fail(4);
  expect(breaker.enter(KEY)).toBe(0);
  breaker.answered(KEY);
  fail(4);
  expect(breaker.enter(KEY)).toBe(0);
  fail(1);
  expect(breaker.enter(KEY)).toBe(5_000);
});

it('affects one app and host only', () => {
  const { breaker, fail } = setUp();
  fail(5);
  expect(breaker.enter('https://store.example com.example.other')).toBe(0);
});

it('tries a few calls after a pause, and closes with the first answer', () => {
  const { breaker, clock, fail } = setUp();
  fail(5);
  clock.advanceMs(5_000);
  expect([1, 2, 3, 4].map(() => breaker.enter(KEY))).toEqual([0, 0, 0, 0]);
  expect(breaker.enter(KEY)).toBeGreaterThan(0);
  breaker.answered(KEY);
  expect(breaker.enter(KEY)).toBe(0);
});

it('waits longer after each failed trial, up to a minute', () => {
  const { breaker, clock, fail } = setUp();
  fail(5);
  const pauses = Array.from({ length: 6 }, () => {
    const waitMs = breaker.enter(KEY);
    clock.advanceMs(waitMs);
    expect(breaker.enter(KEY)).toBe(0);
    fail(4);
    return waitMs;
  });
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

it('ignores old failures', () => {
  const { breaker, clock, fail } = setUp();
  fail(5);
  clock.advanceMs(600_001);
  fail(4);
  expect(breaker.enter(KEY)).toBe(0);
});

it('counts calls without a status or with a 5xx, and makes none while it is open', async () => {
  const { breaker, clock } = setUp();
  const statusOf = (outcome: unknown) => (typeof outcome === 'number' ? outcome : undefined);
  const call = (status: number) => breaker.run(KEY, () => Promise.resolve(status), statusOf);
  const cut = () => breaker.run(KEY, () => Promise.reject(new Error('cut')), statusOf);
  for (const status of [500, 503, 404, 500, 503]) await call(status);
  await expect(cut()).rejects.toThrow('cut');
  await expect(cut()).rejects.toThrow('cut');
  await call(502);
  let calls = 0;
  const counted = breaker.run(KEY, () => Promise.resolve(++calls), statusOf);
  await expect(counted).rejects.toEqual(new CircuitOpen(5_000));
  expect(calls).toBe(0);
  clock.advanceMs(5_000);
  await call(429);
  expect(breaker.enter(KEY)).toBe(0);
});

it('never blocks a store for more than a minute, even if an outcome is never reported', () => {
  const step = fc.constantFrom('enter', 'failed', 'answered', 'second', 'minute');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { breaker, clock } = setUp();
      for (const name of steps) {
        if (name === 'enter') expect(breaker.enter(KEY)).toBeLessThanOrEqual(60_000);
        if (name === 'failed') breaker.failed(KEY);
        if (name === 'answered') breaker.answered(KEY);
        if (name === 'second') clock.advanceMs(1_000);
        if (name === 'minute') clock.advanceMs(60_000);
      }
      const waitMs = breaker.enter(KEY);
      clock.advanceMs(waitMs);
      if (waitMs > 0) expect(breaker.enter(KEY)).toBe(0);
    }),
  );
});
