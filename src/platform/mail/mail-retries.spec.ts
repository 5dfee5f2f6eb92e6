import { GIVE_UP_AFTER_MS, pauseAfter } from './mail-retries.js';

it('retries a mail often at first, and for a day in all', () => {
  const minutes: number[] = [];
  for (let atMs = 0, made = 1; (atMs += pauseAfter(made)) < GIVE_UP_AFTER_MS; made++)
    minutes.push(atMs / 60_000);
  expect(minutes).toEqual([1, 6, 21, 51, 111, 231, 471, 711, 951, 1191, 1431]);
});
