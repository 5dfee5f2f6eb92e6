import fc from 'fast-check';
import { summarize, tickIndexes, topSeries, type Series } from './chart-series.js';

const series = (count: number): Series[] =>
  Array.from({ length: count }, (_, index) => ({ name: `s${index}`, values: [index, null, index] }));

describe('topSeries', () => {
  it('leaves up to 8 as they are', () => {
    const eight = series(8);
    expect(topSeries(eight)).toBe(eight);
  });

  it('adds up what is beyond the 7 largest', () => {
    const twelve = topSeries(series(12));
    expect(twelve.map(({ name }) => name)).toEqual(['s5', 's6', 's7', 's8', 's9', 's10', 's11', 'Other']);
    expect(twelve.at(-1)!.values).toEqual([0 + 1 + 2 + 3 + 4, null, 10]);
  });

  it('keeps the total of every bucket', () => {
    const values = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 20 }), (all) => {
        const top = topSeries(all.map((one, index) => ({ name: `${index}`, values: one })));
        expect(top.length).toBeLessThanOrEqual(8);
        for (const bucket of [0, 1, 2]) {
          const total = (rows: readonly { values: readonly (number | null)[] }[]) =>
            rows.reduce((sum, row) => sum + (row.values[bucket] ?? 0), 0);
          expect(total(top)).toBe(total(all.map((one) => ({ values: one }))));
        }
      }),
    );
  });
});

describe('summarize', () => {
  const day = (name: string) => name;
  const format = (value: number | null) => `$${value}`;

  it('says from what to what and the highest point', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03'];
    expect(
      summarize({ label: 'Revenue', days, series: [{ name: 'All', values: [1, 9, 4] }], format }, day),
    ).toBe('Revenue from 2026-11-01 to 2026-11-03 (UTC). All: $1 to $4, highest $9 on 2026-11-02.');
  });

  it('says that there is nothing', () => {
    expect(summarize({ label: 'Revenue', days: [], series: [], format }, day)).toBe(
      'Revenue. No data in this period.',
    );
    expect(
      summarize({ label: 'R', days: ['2026-11-01'], series: [{ name: 'All', values: [null] }], format }, day),
    ).toContain('All: no data');
  });
});

describe('tickIndexes', () => {
  it('ends with the last bucket and stays within the count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 1, max: 12 }), (length, count) => {
        const ticks = tickIndexes(length, count);
        expect(ticks.at(-1)).toBe(length - 1);
        expect(ticks.length).toBeLessThanOrEqual(count);
        expect(ticks[0]).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
