import { nextAttempt } from './retry-schedule.js';

describe('the retry schedule', () => {
  it('waits 5, 10, 20, 40 and 80 minutes after the failures, and ends with the sixth', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => nextAttempt(attempts, 1000));
    const minutes = waits.map((at) => (at ? (at.getTime() - 1000) / 60_000 : null));
    expect(minutes).toEqual([5, 10, 20, 40, 80, null, null]);
  });
});
