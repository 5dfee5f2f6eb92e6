import fc from 'fast-check';
import { KnownTable, VALUE_LIMIT } from './known-table.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

describe('a table of known values', () => {
  it('keeps the largest value, for a day and one generation', () => {
    const table = new KnownTable(16);
    expect(table.get('ada', 1, NOW_MS)).toBeNull();
    table.set('ada', 1, VALUE_LIMIT - 1, NOW_MS);
    table.set('bob', 1, 0, NOW_MS);
    expect([table.get('ada', 1, NOW_MS), table.get('bob', 1, NOW_MS)]).toEqual([VALUE_LIMIT - 1, 0]);
    expect([table.get('ada', 2, NOW_MS), table.get('eve', 1, NOW_MS)]).toEqual([null, null]);
    expect(table.get('ada', 1, NOW_MS + DAY_MS - MINUTE_MS)).toBe(VALUE_LIMIT - 1);
    expect(table.get('ada', 1, NOW_MS + DAY_MS)).toBeNull();
    expect(table.get('ada', 1, NOW_MS - MINUTE_MS)).toBeNull();
  });

  it('drops the oldest of a full set', () => {
    const table = new KnownTable(8);
    for (let index = 0; index < 9; index++) table.set(`id${index}`, 1, index, NOW_MS + index * MINUTE_MS);
    const nowMs = NOW_MS + 9 * MINUTE_MS;
    const kept = Array.from({ length: 9 }, (_, index) => table.get(`id${index}`, 1, nowMs));
    expect(kept).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('may forget, but never knows anything else than what was set last', () => {
    const key = fc.integer({ min: 0, max: 40 }).map((number) => `customer ${number}`);
    const generation = fc.integer({ min: 1, max: 3 });
    const value = fc.integer({ min: 0, max: VALUE_LIMIT - 1 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), key, generation, value }),
      fc.record({ kind: fc.constant('delete' as const), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const table = new KnownTable(16);
        const last = new Map<string, { generation: number; value: number }>();
        for (const one of steps) {
          if (one.kind === 'delete') {
            table.delete(one.key);
            last.delete(one.key);
          } else {
            table.set(one.key, one.generation, one.value, NOW_MS);
            last.set(one.key, one);
            expect(table.get(one.key, one.generation, NOW_MS)).toBe(one.value);
          }
          for (let number = 0; number <= 40; number++) {
            for (const asked of [1, 2, 3]) {
              const found = table.get(`customer ${number}`, asked, NOW_MS);
              const known = last.get(`customer ${number}`);
              if (found !== null) expect([asked, found]).toEqual([known?.generation, known?.value]);
            }
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
