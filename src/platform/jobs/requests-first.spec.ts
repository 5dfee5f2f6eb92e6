import { RequestsFirst } from './requests-first.js';

describe('RequestsFirst', () => {
  let nowMs = 0;
  let busyMs = 0;
  const utilization = () => ({ active: busyMs, idle: nowMs - busyMs, utilization: 0 });
  const first = () => new RequestsFirst(30_000, utilization, () => nowMs);
  const pass = (ms: number, busy: number): void => {
    nowMs += ms;
    busyMs += busy;
  };

  it('lets work start while the process is mostly idle', () => {
    const turns = first();
    pass(5_000, 500);
    expect(turns.hasToWait()).toBe(false);
  });

  it('holds work back while the process is busy, until the longest wait has passed', () => {
    const turns = first();
    const answers = Array.from({ length: 6 }, () => {
      pass(5_000, 4_000);
      return turns.hasToWait();
    });
    expect(answers).toEqual([true, true, true, true, true, false]);
  });

  it('looks only at the time since the last look', () => {
    const turns = first();
    pass(5_000, 5_000);
    turns.hasToWait();
    pass(5_000, 100);
    expect(turns.hasToWait()).toBe(false);
  });

  it('does not count the work itself as load, and waits again after it', () => {
    const turns = first();
    pass(40_000, 40_000);
    turns.worked();
    pass(5_000, 0);
    expect(turns.hasToWait()).toBe(false);
    pass(5_000, 5_000);
    expect(turns.hasToWait()).toBe(true);
  });
});
