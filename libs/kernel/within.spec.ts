import { jest } from '@jest/globals';
import { within } from './within.js';

describe('work with a time limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const never = new Promise<string>(() => undefined);

  it('returns its result, and leaves no timer behind', async () => {
    expect(await within(Promise.resolve('done'), 100, 'late')).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('throws the error of the work', async () => {
    await expect(within(Promise.reject(new Error('broken')), 100, null)).rejects.toThrow('broken');
  });

  it('times out after the limit, and may fail later without harm', async () => {
    const result = within(never, 100, 'late');
    await jest.advanceTimersByTimeAsync(99);
    await jest.advanceTimersByTimeAsync(1);
    expect(await result).toBe('late');
    const failing = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('later')), 200));
    const second = within(failing, 100, 'late');
    await jest.advanceTimersByTimeAsync(300);
    expect(await second).toBe('late');
  });
});
