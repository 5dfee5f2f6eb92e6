import { ManualClock } from '../../../libs/kernel/index.js';
import { DueAges, type OldestDue } from './due-age.js';

const nowMs = 1_767_323_045_000;

function agesOf(found: () => Promise<OldestDue>) {
  let readings = 0;
  let monotonicMs = 0;
  const read = () => {
    readings++;
    return found();
  };
  const ages = new DueAges(new ManualClock(nowMs), [read], () => monotonicMs);
  return {
    seconds: async () => (await ages.seconds())[0],
    pass: (ms: number) => (monotonicMs += ms),
    readings: () => readings,
  };
}

const due = (secondsAgo: number, queuesRead: number): Promise<OldestDue> =>
  Promise.resolve({ dueAt: new Date(nowMs - secondsAgo * 1000), queuesRead });

describe('the age of the oldest due work', () => {
  it('reads anew each time if few queues have to be read', async () => {
    let secondsAgo = 90;
    const { seconds, readings } = agesOf(() => due(secondsAgo, 999));
    expect(await seconds()).toBe(90);
    secondsAgo = 5;
    expect(await seconds()).toBe(5);
    expect(readings()).toBe(2);
  });

  it.each([
    [2_000, 2_000],
    [40_000, 30_000],
  ])('reads %i queues every %i ms at most', async (queuesRead, keptMs) => {
    let secondsAgo = 90;
    const { seconds, pass, readings } = agesOf(() => due(secondsAgo, queuesRead));
    await seconds();
    secondsAgo = 5;
    pass(keptMs - 1);
    expect([await seconds(), readings()]).toEqual([90, 1]);
    pass(1);
    expect([await seconds(), readings()]).toEqual([5, 2]);
  });

  it('shares one reading among concurrent calls', async () => {
    let answer: (found: OldestDue) => void = () => undefined;
    const { seconds, readings } = agesOf(() => new Promise((resolve) => (answer = resolve)));
    const asked = [seconds(), seconds(), seconds()];
    answer(await due(7, 3));
    expect([await Promise.all(asked), readings()]).toEqual([[7, 7, 7], 1]);
  });

  it('returns unknown after a failure, which is not cached', async () => {
    let isDown = false;
    const { seconds, pass } = agesOf(() => (isDown ? Promise.reject(new Error('down')) : due(7, 5_000)));
    expect(await seconds()).toBe(7);
    isDown = true;
    pass(5_000);
    expect(await seconds()).toBeNaN();
    isDown = false;
    expect(await seconds()).toBe(7);
  });
});
