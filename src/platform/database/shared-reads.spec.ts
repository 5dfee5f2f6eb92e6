import { SharedReads } from './shared-reads.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  function watched() {
    const reads = new SharedReads<number>();
    const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const read = (key: string): Promise<number> =>
      reads.read(key, () => {
        const number = ends.length + 1;
        return new Promise((resolve, reject) => ends.push({ resolve: () => resolve(number), reject }));
      });
    return { read, ends };
  }

  it('starts the next read for all who ask during one, after that one ends', async () => {
    const { read, ends } = watched();
    const answers = [read('a'), read('a'), read('a'), read('b')];
    expect(ends).toHaveLength(2);
    ends[0]?.resolve();
    ends[1]?.resolve();
    await settled();
    expect(ends).toHaveLength(3);
    const later = read('a');
    ends[2]?.resolve();
    await settled();
    ends[3]?.resolve();
    expect(await Promise.all([...answers, later])).toEqual([1, 3, 3, 2, 4]);
  });

  it('fails them together, and not those that come after', async () => {
    const { read, ends } = watched();
    const [first, second] = [read('a'), read('a')];
    ends[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await settled();
    ends[1]?.resolve();
    expect(await second).toBe(2);
    await settled();
    const third = read('a');
    ends[2]?.resolve();
    expect(await third).toBe(3);
  });
});
