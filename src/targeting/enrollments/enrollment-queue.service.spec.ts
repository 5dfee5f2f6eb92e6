import { jest } from '@jest/globals';
import type { LogService } from '../../platform/observability/log.service.js';
import { EnrollmentQueueService } from './enrollment-queue.service.js';
import type { Admission, EnrollmentsService } from './enrollments.service.js';

const MAX_WAITING = 1_000;
const admission = { catalog: { projectId: 'proj1' } } as Admission;

describe('customers who wait to join', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
  afterEach(() => jest.useRealTimers());

  function newQueue() {
    const batches: { size: number; end: (error?: Error) => void }[] = [];
    const joinAll = (items: Admission[]) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map(() => 'joined')));
        batches.push({ size: items.length, end });
      });
    const warn = jest.fn();
    const queue = new EnrollmentQueueService(
      { joinAll } as unknown as EnrollmentsService,
      { warn } as unknown as LogService,
    );
    return { queue, batches, warn };
  }

  it('enrolls 64 at a time, in two transactions; after half a second they are answered without', async () => {
    const { queue, batches } = newQueue();
    const answers = Array.from({ length: MAX_WAITING - 1 }, () => queue.join(admission));
    await new Promise(setImmediate);
    expect(batches.map(({ size }) => size)).toEqual([64, 64]);
    expect(queue.isFull).toBe(false);
    const last = queue.join(admission);
    expect(queue.isFull).toBe(true);
    await jest.advanceTimersByTimeAsync(499);
    expect(await Promise.race([last, Promise.resolve('waiting')])).toBe('waiting');
    await jest.advanceTimersByTimeAsync(1);
    expect(new Set(await Promise.all([...answers, last]))).toEqual(new Set([null]));
    // They are still waiting for their rows.
    expect(queue.isFull).toBe(true);
    batches[0]?.end();
    await new Promise(setImmediate);
    expect(queue.isFull).toBe(false);
    expect(batches).toHaveLength(3);
  });

  it('answers them without if the rows cannot be written', async () => {
    const { queue, batches, warn } = newQueue();
    const answer = queue.join(admission);
    await new Promise(setImmediate);
    batches[0]?.end(new Error('the database is gone'));
    expect([await answer, warn.mock.calls.length, queue.isFull]).toEqual([null, 1, false]);
  });
});
