import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { ExternalSort } from './external-sort.js';
import { SortedLookup } from './sorted-lookup.js';
import { TestFiles } from '../testing/test-files.js';

describe('sorting on disk', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  const entries = fc.array(
    fc.tuple(fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 20 })),
    {
      maxLength: 60,
    },
  );

  it('gives what a stable sort in memory gives, however little memory it has', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 2000 }), async (pairs, charactersInMemory) => {
        const sort = new ExternalSort({ charactersInMemory, runsAtOnce: 3, folder: files.path });
        for (const [key, value] of pairs) await sort.add(key, value);
        const sorted = [];
        for await (const { key, value } of sort.sorted()) sorted.push([key, value]);
        expect(sorted).toEqual(pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
        await sort.close();
      }),
      { numRuns: 60 },
    );
    // No data or folders remain.
    expect(await readdir(files.path)).toEqual([]);
  });

  it('finds in a sorted file every value of a key', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (pairs) => {
        const sort = new ExternalSort({ charactersInMemory: 500, folder: files.path });
        for (let copy = 0; copy < 3; copy++) for (const [key, value] of pairs) await sort.add(key, value);
        const lookup = await SortedLookup.of(join(files.path, 'lookup'), sort.sorted());
        await sort.close();
        for (const key of new Set([...pairs.map(([each]) => each), 'absent', ''])) {
          const values = pairs.filter(([each]) => each === key).map(([, value]) => value);
          expect(await lookup.values(key)).toEqual([...values, ...values, ...values]);
        }
        await lookup.close();
      }),
      { numRuns: 15 },
    );
  });

  it('folds the entries of each key', async () => {
    const sort = new ExternalSort({ charactersInMemory: 150, folder: files.path });
    for (const [key, value] of ['b1', 'a1', 'b2', 'c1', 'b3'].map((text) => [...text])) {
      await sort.add(key as string, value as string);
    }
    const folded = [];
    for await (const each of sort.folded<string[]>(
      () => [],
      (all, value) => all.push(value),
    )) {
      folded.push(each);
    }
    await sort.close();
    expect(folded).toEqual([
      ['a', ['1']],
      ['b', ['1', '2', '3']],
      ['c', ['1']],
    ]);
  });
});
