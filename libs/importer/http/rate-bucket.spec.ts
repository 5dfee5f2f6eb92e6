import { TestRuntime } from '../../../test/support/import-bench.js';
import { RateBucket } from './rate-bucket.js';

async function timesOf(bucket: RateBucket, runtime: TestRuntime, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await bucket.take();
    times.push(runtime.clock.nowMs());
  }
  return times;
}

/** Returns the maximum number of requests in any minute. */
function busiestMinute(times: readonly number[]): number {
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 60_000).length));
}

describe('the pace of requests', () => {
  it.each([60, 480])('stays below the limit in any minute, and near it over time: %d', async (limit) => {
    const runtime = new TestRuntime(0);
    const times = await timesOf(new RateBucket(limit, runtime), runtime, limit * 4);
    expect(busiestMinute(times)).toBeLessThanOrEqual(limit);
    const minutes = (times.at(-1) as number) / 60_000;
    expect(times.length / minutes).toBeGreaterThan(limit * 0.93);
  });

  it('follows the limit that answers name', async () => {
    const runtime = new TestRuntime(0);
    const bucket = new RateBucket(60, runtime);
    bucket.learn('1', '6000');
    const times = await timesOf(bucket, runtime, 6000);
    expect(times.at(-1)).toBeLessThan(63_000);
    bucket.learn('none', '0');
    expect(bucket.perMinute).toBe(6000);
  });

  it('slows down when little is left, because others may use the key', async () => {
    const spent = async (usage: number): Promise<number> => {
      const runtime = new TestRuntime(0);
      const bucket = new RateBucket(600, runtime);
      bucket.learn(String(usage), '600');
      return (await timesOf(bucket, runtime, 100)).at(-1) as number;
    };
    expect(await spent(100)).toBe(await spent(530));
    expect(await spent(570)).toBeGreaterThan((await spent(100)) * 1.9);
    expect(await spent(600)).toBeGreaterThan((await spent(100)) * 9);
  });

  it('waits for as long as an answer says, all requests of the domain, and counts the time once', async () => {
    const runtime = new TestRuntime(0);
    const bucket = new RateBucket(600, runtime);
    bucket.pause(3000);
    bucket.pause(1000);
    expect(bucket.pausedMs).toBe(3500);
    const [first] = await Promise.all([bucket.take(), bucket.take()]).then(() => [runtime.clock.nowMs()]);
    expect(first).toBeGreaterThanOrEqual(3500);
    expect(bucket.limitedMs).toBe(3500);
    bucket.pause(null);
    expect(bucket.pausedMs).toBe(60_500);
  });
});
