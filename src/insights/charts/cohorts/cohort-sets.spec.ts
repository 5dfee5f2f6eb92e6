import fc from 'fast-check';
import { windows } from '../definitions/windows.js';
import { cohortLevels } from './cohort-levels.js';
import { countDifferences } from './cohort-counts.js';
import { type CohortMember, memberChanges } from './cohort-member.js';
import { type CohortSet, setDifferences } from './cohort-sets.js';

const ALL = (1 << windows.length) - 1;

/** The ids of combinations are their values. */
const valueOf = (dimsId: string): string => dimsId;

const sales = fc.record({
  environment: fc.constantFrom('production', 'sandbox'),
  // The last two sort differently by UTF-16 units.
  dimsId: fc.constantFrom('app_store', 'stripe', '', '\u{10000}', '\uffff'),
  converts: fc.integer({ min: 0, max: ALL }),
  pays: fc.integer({ min: 0, max: ALL }),
  revenue: fc.array(fc.integer({ min: -1_000, max: 1_000 }), {
    minLength: windows.length,
    maxLength: windows.length,
  }),
});
const member: fc.Arbitrary<CohortMember> = fc.record({
  cohortDay: fc.constantFrom('2026-01-31', '2026-02-01'),
  customerDimsId: fc.constantFrom('US', 'DE', ''),
  starts: fc.constant([]),
  sales: fc.uniqueArray(sales, {
    maxLength: 5,
    selector: ({ environment, dimsId }) => environment + dimsId,
  }),
});
const world = fc.array(fc.option(member), { minLength: 6, maxLength: 6 });

const membersOf = (list: readonly (CohortMember | null)[]): Map<string, CohortMember> =>
  new Map(list.flatMap((one, id) => (one ? [[String(id), one] as const] : [])));

/** The sums of a world, added to those before. */
function sumsAfter(...worlds: readonly (readonly (CohortMember | null)[])[]): Map<string, CohortSet> {
  const sums = new Map<string, CohortSet>();
  let before = new Map<string, CohortMember>();
  for (const list of worlds) {
    const after = membersOf(list);
    for (const row of setDifferences(memberChanges(before, after), cohortLevels, valueOf)) {
      const key = JSON.stringify([row.environment, row.level, row.cohortDay, row.values]);
      const known = sums.get(key);
      const added = (column: 'converts' | 'pays' | 'revenue'): number[] =>
        row[column].map((amount, window) => amount + (known?.[column][window] ?? 0));
      sums.set(key, {
        ...row,
        customers: row.customers + (known?.customers ?? 0),
        converts: added('converts'),
        pays: added('pays'),
        revenue: added('revenue'),
      });
    }
    before = after;
  }
  return sums;
}

describe('sums of cohorts by sets of values', () => {
  const stores = {
    X: { dimsId: 'app_store', converts: ALL, pays: ALL },
    Z: { dimsId: 'stripe', converts: ALL, pays: 0 },
  };
  const buyer = (...bought: { dimsId: string; converts: number; pays: number }[]): CohortMember => ({
    cohortDay: '2026-01-31',
    customerDimsId: 'US',
    starts: [],
    sales: bought.map((row) => ({ ...row, environment: 'production', revenue: windows.map(() => 1) })),
  });

  it('counts each customer in one set per window', () => {
    const paid = { dimsId: 'stripe', converts: ALL, pays: ALL };
    const world = [buyer(stores.X), buyer(stores.X, paid), buyer(stores.Z)];
    const rows = setDifferences(memberChanges(new Map(), membersOf(world)), ['store'], valueOf);
    const last = rows.map(({ values, customers, converts, pays, revenue }) => [
      values.join('+'),
      customers,
      converts.at(-1),
      pays.at(-1),
      revenue.at(-1),
    ]);
    expect(last.sort()).toEqual([
      ['app_store+stripe', 0, 1, 1, 0],
      ['app_store', 2, 1, 1, 2],
      ['stripe', 2, 1, 0, 2],
    ]);
  });

  it('answers every filter and segment as counting the customers does', () => {
    fc.assert(
      fc.property(world, fc.subarray(['app_store', 'stripe', '', '\u{10000}', '\uffff']), (list, filter) => {
        const rows = [...sumsAfter(list).values()].filter(
          ({ level, environment }) => level === 'store' && environment === 'production',
        );
        for (const window of windows.keys()) {
          for (const column of ['converts', 'pays'] as const) {
            const found = rows
              .filter(({ values }) => values.some((value) => filter.includes(value)))
              .reduce((sum, row) => sum + (row[column][window] ?? 0), 0);
            const buyers = list.filter((one) =>
              one?.sales.some(
                (row) =>
                  row.environment === 'production' &&
                  filter.includes(row.dimsId) &&
                  (row[column] >> window) & 1,
              ),
            );
            expect(found).toBe(buyers.length);
          }
          const paid = rows
            .filter(({ values: [first = '', ...more] }) => more.length === 0 && filter.includes(first))
            .reduce((sum, row) => sum + (row.revenue[window] ?? 0), 0);
          const expected = list
            .flatMap((one) => one?.sales ?? [])
            .filter((row) => row.environment === 'production' && filter.includes(row.dimsId))
            .reduce((sum, row) => sum + (row.revenue[window] ?? 0), 0);
          expect(paid).toBe(expected);
        }
      }),
    );
  });

  it('adds changes to what summing at once gives, and leaves no sums without customers', () => {
    fc.assert(
      fc.property(fc.array(world, { minLength: 1, maxLength: 4 }), (worlds) => {
        const isEmpty = ({ customers, converts, pays, revenue }: CohortSet): boolean =>
          [customers, ...converts, ...pays, ...revenue].every((amount) => amount === 0);
        const rest = (sums: Map<string, CohortSet>): CohortSet[] =>
          [...sums.values()].filter((row) => !isEmpty(row));
        const sorted = (rows: CohortSet[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
        expect(sorted(rest(sumsAfter(...worlds)))).toEqual(sorted(rest(sumsAfter(worlds.at(-1) ?? []))));
        expect(rest(sumsAfter(...worlds, []))).toEqual([]);
      }),
    );
  });

  it('ignores customers who do not change', () => {
    fc.assert(
      fc.property(world, (list) => {
        const changes = memberChanges(membersOf(list), membersOf(structuredClone(list)));
        expect(changes).toEqual([]);
        expect(countDifferences(changes)).toEqual([]);
      }),
    );
  });
});
