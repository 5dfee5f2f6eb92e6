import { QueryFailedError } from 'typeorm';
import { givingWay } from './giving-way.js';

describe('a piece of a migration', () => {
  const failed = (code: string) => new QueryFailedError('LOCK', [], Object.assign(new Error(), { code }));

  /** Work that fails the given number of times, with a counter of its runs. */
  function failing(code: string, times: number) {
    let runs = 0;
    const work = () => (++runs > times ? Promise.resolve('done') : Promise.reject(failed(code)));
    return { work, runs: () => runs };
  }

  it.each(['55P03', '40P01'])('retries until done if it blocks others (%s)', async (code) => {
    const { work, runs } = failing(code, 59);
    expect(await givingWay(work, 0)).toBe('done');
    expect(runs()).toBe(60);
  });

  it('fails after sixty times', async () => {
    const { work, runs } = failing('55P03', 100);
    await expect(givingWay(work, 0)).rejects.toThrow(QueryFailedError);
    expect(runs()).toBe(60);
  });

  it('fails at once for any other reason', async () => {
    const { work, runs } = failing('42P01', 1);
    await expect(givingWay(work, 0)).rejects.toThrow(QueryFailedError);
    expect(runs()).toBe(1);
  });
});
