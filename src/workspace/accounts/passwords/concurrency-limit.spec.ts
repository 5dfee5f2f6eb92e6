import { ConcurrencyLimit } from './concurrency-limit.js';

/** Work that ends on demand. */
function controlled(): { work: () => Promise<void>; finish: () => void; fail: () => void } {
  let finish = (): void => undefined;
  let fail = (): void => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = () => reject(new Error('failed'));
  });
  return { work: () => promise, finish, fail };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a concurrency limit', () => {
  it('starts no more than its maximum, and the waiting in the order they came', async () => {
    const limit = new ConcurrencyLimit(2);
    const jobs = [controlled(), controlled(), controlled(), controlled()];
    const started: number[] = [];
    const runs = jobs.map(({ work }, index) =>
      limit.run(() => {
        started.push(index);
        return work();
      }),
    );
    await settle();
    expect(started).toEqual([0, 1]);
    jobs[1]?.finish();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const job of jobs) job.finish();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('gives the place of failed work to the next', async () => {
    const limit = new ConcurrencyLimit(1);
    const failing = controlled();
    const first = limit.run(failing.work);
    const second = limit.run(() => Promise.resolve('done'));
    failing.fail();
    await expect(first).rejects.toThrow('failed');
    await expect(second).resolves.toBe('done');
    await expect(limit.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });
});
