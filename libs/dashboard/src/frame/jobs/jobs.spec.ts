import { CallError } from '../../api/call-error.js';
import { forEachItem, jobs } from './jobs.js';

const ended = async (id: number) => {
  for (;;) {
    const job = jobs.current().find((each) => each.id === id)!;
    if (job.status !== 'running') return job;
    await new Promise((resolve) => {
      const stop = jobs.subscribe(() => resolve(stop()));
    });
  }
};

describe('long work of a tab', () => {
  it('continues after failures, counts them, and sends each item once with a key of its own', async () => {
    const keys = new Map<number, string>();
    const items = Array.from({ length: 25 }, (_, index) => index);
    const id = jobs.start({ name: 'Archive', total: 25, by: 'browser' }, (job) =>
      forEachItem(job, items, String, (item, headers) => {
        expect(keys.has(item)).toBe(false);
        keys.set(item, headers['Idempotency-Key']);
        return item % 10 === 3 ? Promise.reject(new CallError('No.', { status: 422 })) : Promise.resolve();
      }),
    );
    expect(await ended(id)).toMatchObject({
      status: 'done',
      done: 25,
      failures: [3, 13, 23].map((item) => ({ label: String(item), message: 'No.' })),
    });
    expect(new Set(keys.values()).size).toBe(25);
    jobs.close(id);
    expect(jobs.current()).toEqual([]);
  });

  it('sends at most four at a time', async () => {
    let open = 0;
    let most = 0;
    const id = jobs.start({ name: 'Archive', by: 'browser' }, (job) =>
      forEachItem(job, Array.from({ length: 20 }), String, async () => {
        most = Math.max(most, ++open);
        await Promise.resolve();
        open--;
      }),
    );
    await ended(id);
    expect(most).toBe(4);
    jobs.close(id);
  });

  it('waits out a limit with the same key', async () => {
    const keys: string[] = [];
    const id = jobs.start({ name: 'Archive', by: 'browser' }, (job) =>
      forEachItem(job, ['a'], String, (_, headers) => {
        keys.push(headers['Idempotency-Key']);
        return keys.length < 3
          ? Promise.reject(new CallError('Slow down.', { status: 429, retryAfterS: 0 }))
          : Promise.resolve();
      }),
    );
    expect(await ended(id)).toMatchObject({ status: 'done', failures: [] });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    jobs.close(id);
  });

  it.each([
    ['a lost connection', { status: 0, retryable: true }],
    ['an object that is being changed', { status: 423 }],
    ['a server that is down', { status: 503, retryable: true }],
  ])('tries four times after %s, with the same key', async (_, facts) => {
    const keys: string[] = [];
    const id = jobs.start({ name: 'Archive', by: 'browser' }, (job) =>
      forEachItem(job, ['a'], String, (_item, headers) => {
        keys.push(headers['Idempotency-Key']);
        return Promise.reject(new CallError('Not now.', { ...facts, retryAfterS: 0 }));
      }),
    );
    expect(await ended(id)).toMatchObject({ done: 1, failures: [{ label: 'a', message: 'Not now.' }] });
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    jobs.close(id);
  });

  it('stops when cancelled while it waits', async () => {
    const id = jobs.start({ name: 'Replay', by: 'server' }, async (job) => {
      await job.pause(1_000_000);
    });
    jobs.current().find((job) => job.id === id)!.cancel!();
    expect(await ended(id)).toMatchObject({ status: 'cancelled', note: null, cancel: null });
    jobs.close(id);
  });

  it('says why it failed', async () => {
    const id = jobs.start({ name: 'Replay', by: 'server' }, () => Promise.reject(new Error('Gone.')));
    expect(await ended(id)).toMatchObject({ status: 'failed', note: 'Gone.' });
    jobs.close(id);
  });
});
