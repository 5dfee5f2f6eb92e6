import { atMost } from './at-most.js';

it('lets so many run at a time, and continues after a failure', async () => {
  const limit = atMost(2);
  let running = 0;
  let most = 0;
  const work = (fails: boolean) => async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (fails) throw new Error('no');
    return 'done';
  };
  const outcomes = await Promise.allSettled(
    [true, false, true, false, false].map((fails) => limit(work(fails))),
  );
  expect(most).toBe(2);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
