import { jest } from '@jest/globals';
import { ManualClock } from '../../../libs/kernel/index.js';
import { DatabaseClockService } from './database-clock.service.js';

const HOUR_MS = 3_600_000;

describe('the database clock', () => {
  afterEach(() => jest.restoreAllMocks());

  /** A process whose clock is `leadMs` ahead when the database's clock is read, an hour ago. */
  function clockOf(leadMs: number): {
    clock: DatabaseClockService;
    own: ManualClock;
    at: (ms: number) => void;
  } {
    const own = new ManualClock(0);
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(5);
    const machine = jest.spyOn(Date, 'now').mockReturnValue(0);
    const at = (ms: number): void => {
      own.setMs(ms);
      machine.mockReturnValue(ms);
    };
    at(10 * HOUR_MS + leadMs);
    const clock = new DatabaseClockService(own);
    clock.set({ databaseMs: 10 * HOUR_MS, monotonicMs: 5 });
    monotonic.mockReturnValue(5 + HOUR_MS);
    at(11 * HOUR_MS + leadMs);
    return { clock, own, at };
  }

  it.each([0, HOUR_MS, -HOUR_MS])(
    'tells the time of the database in a process that is ahead by %d ms',
    (leadMs) => {
      expect(clockOf(leadMs).clock.nowMs()).toBe(11 * HOUR_MS);
    },
  );

  it.each([20 * HOUR_MS, -20 * HOUR_MS])("ignores a jump of the machine's clock by %d ms", (jumpMs) => {
    const { clock, at } = clockOf(0);
    at(11 * HOUR_MS + jumpMs);
    expect(clock.nowMs()).toBe(11 * HOUR_MS);
  });

  it("follows the process's clock within the error of a reading", () => {
    const { clock, own } = clockOf(999);
    expect(clock.nowMs()).toBe(own.nowMs());
  });

  it("follows the process's clock before the first reading", () => {
    expect(new DatabaseClockService(new ManualClock(7)).nowMs()).toBe(7);
  });
});
