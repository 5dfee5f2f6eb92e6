import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Batcher } from './batcher.js';

/** A loader whose statements end on demand. */
function manualLoader() {
  const calls: { keys: string[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const load = (keys: string[]): Promise<(string | null)[]> =>
    new Promise((resolve, reject) => {
      calls.push({
        keys,
        finish: () => resolve(keys.map((key) => (key === 'none' ? null : `row of ${key}`))),
        fail: reject,
      });
    });
  return { calls, load };
}

describe('batcher', () => {
  it('takes the reads of one turn in one statement and gives each its own row', async () => {
    const { calls, load } = manualLoader();
    const batcher = new Batcher(load, { maxRunning: 2, maxItems: 64 });
    const reads = ['a', 'none', 'b'].map((key) => batcher.submit(key));
    await setImmediate();
    expect(calls.map(({ keys }) => keys)).toEqual([['a', 'none', 'b']]);
    calls[0]?.finish();
    expect(await Promise.all(reads)).toEqual(['row of a', null, 'row of b']);
  });

  it('keeps reads that come while all statements are under way for the next statement', async () => {
    const { calls, load } = manualLoader();
    const batcher = new Batcher(load, { maxRunning: 1, maxItems: 64 });
    const first = batcher.submit('a');
    await setImmediate();
    const later = [batcher.submit('b'), batcher.submit('c')];
    await setImmediate();
    expect(calls).toHaveLength(1);
    calls[0]?.finish();
    await first;
    await setImmediate();
    expect(calls[1]?.keys).toEqual(['b', 'c']);
    calls[1]?.finish();
    expect(await Promise.all(later)).toEqual(['row of b', 'row of c']);
  });

  it('splits what is too much for one statement', async () => {
    const { calls, load } = manualLoader();
    const batcher = new Batcher(load, { maxRunning: 2, maxItems: 2 });
    const reads = ['a', 'b', 'c'].map((key) => batcher.submit(key));
    await setImmediate();
    expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
    for (const call of calls) call.finish();
    expect(await Promise.all(reads)).toHaveLength(3);
  });

  it('fails only the reads of the failed statement and continues', async () => {
    const { calls, load } = manualLoader();
    const batcher = new Batcher(load, { maxRunning: 1, maxItems: 64 });
    const failed = batcher.submit('a');
    await setImmediate();
    calls[0]?.fail(new Error('gone'));
    await expect(failed).rejects.toThrow('gone');
    const next = batcher.submit('b');
    await setImmediate();
    calls[1]?.finish();
    expect(await next).toBe('row of b');
  });

  it('says since when the item waits that was submitted first', async () => {
    const reported: number[] = [];
    const ends: (() => void)[] = [];
    const serve = (items: string[], since: number): Promise<string[]> => {
      reported.push(since);
      return new Promise((resolve) => ends.push(() => resolve(items)));
    };
    const batcher = new Batcher(serve, { maxRunning: 1, maxItems: 64 });
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const answers = [batcher.submit('a')];
    await setImmediate();
    now.mockReturnValue(2_000);
    answers.push(batcher.submit('b'));
    now.mockReturnValue(7_000);
    answers.push(batcher.submit('c'));
    ends[0]?.();
    await answers[0];
    await setImmediate();
    now.mockRestore();
    ends[1]?.();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    expect(reported).toEqual([1_000, 2_000]);
  });

  it('keeps groups apart, the longest waiting first', async () => {
    const { calls, load } = manualLoader();
    const groupOf = (key: string) => key.slice(0, 1);
    const batcher = new Batcher(load, { maxRunning: 1, maxItems: 2, groupOf });
    const reads = ['a1', 'b1', 'a2', 'a3', 'b2'].map((key) => batcher.submit(key));
    for (let turn = 0; turn < 3; turn++) {
      await setImmediate();
      calls[turn]?.finish();
      await setImmediate();
    }
    expect(calls.map(({ keys }) => keys)).toEqual([['a1', 'a2'], ['b1', 'b2'], ['a3']]);
    expect(await Promise.all(reads)).toHaveLength(5);
  });
});
