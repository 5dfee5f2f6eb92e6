import fc from 'fast-check';
import {
  endedRanges,
  type Month,
  missingMonths,
  monthOf,
  monthsAhead,
  nameOf,
  outdated,
  type Partition,
  startOf,
} from './months.js';

const days = (text: string): number => Date.parse(text);

function partition(month: Month): Partition {
  return { name: nameOf(month), isDefault: false, from: startOf(month), to: startOf(month + 1) };
}

const first = (end: Month): Partition => ({ name: 'first', isDefault: false, from: null, to: startOf(end) });
const rest: Partition = { name: 'default', isDefault: true, from: null, to: null };

const times = fc.integer({ min: days('2020-01-01'), max: days('2040-01-01') });
/** Possible tables: a partition for everything before some month, then any months, then the rest. */
const tables = fc
  .record({ end: times.map(monthOf), offsets: fc.uniqueArray(fc.nat(30), { maxLength: 20 }) })
  .map(({ end, offsets }) => [first(end), ...offsets.map((offset) => partition(end + offset)), rest]);

describe('months', () => {
  it('begins and ends in UTC, over the end of the year too', () => {
    const december = monthOf(days('2026-12-31T23:59:59.999Z'));
    expect([nameOf(december), nameOf(december + 1)]).toEqual(['2026_12', '2027_01']);
    expect(startOf(december + 1)).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(monthOf(days('2027-01-01T00:00:00Z'))).toBe(december + 1);
  });

  it('contains every time from the start until the start of the next', () => {
    fc.assert(
      fc.property(times, (ms) => {
        const month = monthOf(ms);
        expect(startOf(month).getTime()).toBeLessThanOrEqual(ms);
        expect(startOf(month + 1).getTime()).toBeGreaterThan(ms);
      }),
    );
  });
});

describe('the months that have no partition', () => {
  it('starts with the current one, and lists none once they have partitions', () => {
    fc.assert(
      fc.property(tables, times, fc.nat(12), (partitions, nowMs, ahead) => {
        const missing = missingMonths(partitions, nowMs, ahead);
        const all = [...partitions, ...missing.map(partition)];
        expect(missingMonths(all, nowMs, ahead)).toEqual([]);
        expect(monthsAhead(all, nowMs)).toBeGreaterThanOrEqual(ahead);
        for (const { from, to } of partitions.filter(({ isDefault }) => !isDefault)) {
          const overlap = missing
            .map(partition)
            .filter((made) => made.from! < to! && (!from || made.to! > from));
          expect(overlap).toEqual([]);
        }
      }),
    );
  });

  it('counts none as ahead, nor one behind a gap', () => {
    const now = monthOf(days('2026-05-20'));
    const ahead = (...months: Month[]): number =>
      monthsAhead([first(now + 1), ...months.map(partition), rest], days('2026-05-20'));
    expect([ahead(), ahead(now + 1), ahead(now + 1, now + 2), ahead(now + 2)]).toEqual([0, 1, 2, 0]);
    expect(monthsAhead([], days('2026-05-20'))).toBe(0);
  });
});

describe('what is older than its retention', () => {
  it('ends with its partition, by rows if a month has none, and nothing younger does', () => {
    fc.assert(
      fc.property(tables, times, (partitions, beforeMs) => {
        const before = new Date(beforeMs);
        const { expired, mixed } = outdated(partitions, before);
        for (const { to } of expired) expect(to!.getTime()).toBeLessThanOrEqual(beforeMs);
        for (const left of partitions.filter((one) => !expired.includes(one))) {
          expect(left.to === null || left.to > before).toBe(true);
        }
        expect(mixed).toContain(rest);
        expect(mixed.filter(({ from }) => from !== null)).toEqual([]);
        expect(mixed.filter((one) => expired.includes(one))).toEqual([]);
      }),
    );
  });
});

describe('the ranges whose partitions have ended', () => {
  it('lists those before the time that no partition covers', () => {
    fc.assert(
      fc.property(tables, fc.boolean(), times, times, (all, isFirstGone, beforeMs, ms) => {
        const partitions = isFirstGone ? all.slice(1) : all;
        const [before, at] = [new Date(beforeMs), new Date(ms)];
        const holds = ({ from, to }: { from: Date | null; to: Date | null }): boolean =>
          (from === null || from <= at) && to !== null && at < to;
        const isEnded = at < before && !partitions.some((one) => !one.isDefault && holds(one));
        expect(endedRanges(partitions, before).filter(holds)).toHaveLength(isEnded ? 1 : 0);
      }),
    );
  });
});
