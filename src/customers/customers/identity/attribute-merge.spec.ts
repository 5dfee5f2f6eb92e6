import fc from 'fast-check';
import { type AttributeRow, type AttributeSource, attributeSources } from './customer-state.js';
import { type AttributeInput, type AttributeWriter, mergeAttributes } from './attribute-merge.js';
import { MAX_CUSTOM_ATTRIBUTES } from './attribute-names.js';

const NOW = Date.UTC(2026, 0, 2);
const DAY_MS = 86_400_000;

const sdk: AttributeWriter = { source: 'sdk', overrules: false, nowMs: NOW };
const backend: AttributeWriter = { source: 'api', overrules: true, nowMs: NOW };

const set = (name: string, value: string | null, updatedAtMs: number | null = NOW): AttributeInput => ({
  name,
  value,
  updatedAtMs,
});
const row = (name: string, value: string | null, updatedAtMs = NOW, source: AttributeSource = 'sdk') =>
  ({ name, value, updatedAtMs, source }) satisfies AttributeRow;
const byName = (rows: AttributeRow[]): Record<string, string | null> =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]));

describe('attributes of a customer', () => {
  it.each<[string, AttributeRow[], AttributeInput, AttributeWriter, string | null]>([
    ['a newer write of an SDK wins', [row('a', 'old', NOW - 1)], set('a', 'new'), sdk, 'new'],
    ['an older one loses', [row('a', 'kept')], set('a', 'late', NOW - 1), sdk, 'kept'],
    ['of two of one moment the later arrival wins', [row('a', 'first')], set('a', 'second'), sdk, 'second'],
    ['but does not undo a backend', [row('a', 'api', NOW, 'api')], set('a', 'sdk'), sdk, 'api'],
    ['without a time it counts as of now', [row('a', 'old', NOW - 1)], set('a', 'new', null), sdk, 'new'],
    ['an older write does not bring a deleted one back', [row('a', null)], set('a', 'x', NOW - 1), sdk, null],
    ['a device cannot change what it is', [row('$idfa', 'first', 1)], set('$idfa', 'second'), sdk, 'first'],
    ['nor delete it', [row('$campaign', 'summer', 1)], set('$campaign', null), sdk, 'summer'],
    ['a deleted campaign can be set again', [row('$campaign', null, 1)], set('$campaign', 'x'), sdk, 'x'],
    ['a backend may change it', [row('$idfa', 'first')], set('$idfa', 'other', null), backend, 'other'],
    [
      'a backend overrules a device whose clock is ahead',
      [row('a', 'ahead', NOW + DAY_MS)],
      set('a', 'api', null),
      backend,
      'api',
    ],
  ])('%s', (_, stored, input, writer, expected) => {
    expect(byName(mergeAttributes(stored, [input], writer).rows)[input.name]).toBe(expected);
  });

  it('lets no device replace or delete what a backend decided about refunds, whatever its time', () => {
    const decided = row('$appleRefundHandlingPreference', 'DECLINE_REFUND', 1, 'api');
    const anyTime = fc.integer({ min: 0, max: NOW + 2 * DAY_MS });
    const anyValue = fc.constantFrom(null, '', 'GRANT_REFUND', 'DECLINE_REFUND');
    const anySource = fc.constantFrom<AttributeSource>('sdk', 'receipt');
    fc.assert(
      fc.property(fc.array(fc.tuple(anyValue, anyTime, anySource)), (writes) => {
        const rows = writes.reduce<AttributeRow[]>(
          (stored, [value, at, source]) =>
            mergeAttributes(stored, [set(decided.name, value, at)], { ...sdk, source }).rows,
          [decided],
        );
        expect(rows).toEqual([decided]);
      }),
    );
  });

  it('lets a backend decide about refunds although a device wrote with a later time', () => {
    const ahead = row('$appleRefundHandlingPreference', 'GRANT_REFUND', NOW + DAY_MS);
    const { rows } = mergeAttributes([ahead], [set(ahead.name, 'DECLINE_REFUND', 1)], {
      ...backend,
      overrules: false,
    });
    expect(rows).toEqual([row(ahead.name, 'DECLINE_REFUND', 1, 'api')]);
  });

  it('rejects times from the far future, which would win for ever', () => {
    const [kept] = mergeAttributes([], [set('a', 'x', NOW + 2 * DAY_MS)], sdk).rows;
    expect(kept?.updatedAtMs).toBe(NOW);
    const [ahead] = mergeAttributes([], [set('a', 'x', NOW + DAY_MS / 2)], sdk).rows;
    expect(ahead?.updatedAtMs).toBe(NOW + DAY_MS / 2);
  });

  it('ignores a repeated value from a device after another one replaced it', () => {
    const ahead = row('a', 'ahead', NOW + DAY_MS / 2);
    const { rows } = mergeAttributes([ahead], [set('a', 'api', null)], backend);
    expect(byName(mergeAttributes(rows, [set('a', 'ahead', ahead.updatedAtMs)], sdk).rows)).toEqual({
      a: 'api',
    });
  });

  it('refuses the 51st custom attribute, lets a deletion make room, and never counts reserved names', () => {
    const full = Array.from({ length: MAX_CUSTOM_ATTRIBUTES }, (_, index) => row(`a${index}`, 'x', 1));
    const more = mergeAttributes(full, [set('one_more', 'x'), set('$email', 'a@example.com')], sdk);
    expect([more.tooMany, more.changed.map(({ name }) => name)]).toEqual([['one_more'], ['$email']]);
    const swapped = mergeAttributes(full, [set('one_more', 'x'), set('a7', null)], sdk);
    expect(swapped.tooMany).toEqual([]);
    const changed = mergeAttributes(full, [set('a7', 'y')], sdk);
    expect([changed.tooMany, changed.changed.length]).toEqual([[], 1]);
  });

  it('names that no version knows yet count as custom ones', () => {
    const full = Array.from({ length: MAX_CUSTOM_ATTRIBUTES }, (_, index) => row(`$new${index}`, 'x', 1));
    expect(mergeAttributes(full, [set('$newer', 'x')], sdk).tooMany).toEqual(['$newer']);
  });

  it('remembers the deletion of a name that no version knows, so that an older write does not bring it back', () => {
    const { rows } = mergeAttributes([], [{ ...set('$newer', null), updatedAtMs: 5 }], sdk);
    const late = mergeAttributes(rows, [{ ...set('$newer', 'x'), updatedAtMs: 4 }], sdk);
    expect(byName(late.rows)).toEqual({ $newer: null });
  });

  it('remembers the latest deletions only', () => {
    const deleted = Array.from({ length: MAX_CUSTOM_ATTRIBUTES }, (_, index) =>
      row(`a${index}`, null, index),
    );
    const { forgotten, rows } = mergeAttributes(deleted, [set('b', null)], sdk);
    expect(forgotten).toEqual(['a0']);
    expect(rows).toHaveLength(MAX_CUSTOM_ATTRIBUTES);
  });

  const input = fc.record({
    name: fc.constantFrom('a', 'b', '$email', '$displayName'),
    value: fc.option(fc.constantFrom('x', 'y', 'z')),
    updatedAtMs: fc.integer({ min: 0, max: 1000 }),
  });
  const distinctTimes = fc.uniqueArray(input, {
    selector: ({ updatedAtMs }) => updatedAtMs,
    maxLength: 12,
  });

  it('writes of devices give the same attributes in any order and any grouping', () => {
    fc.assert(
      fc.property(distinctTimes, fc.array(fc.nat()), (inputs, keys) => {
        const shuffled = inputs
          .map((item, index) => ({ item, key: keys[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
        const oneByOne = (list: AttributeInput[]): AttributeRow[] =>
          list.reduce<AttributeRow[]>((rows, one) => mergeAttributes(rows, [one], sdk).rows, []);
        const sorted = (rows: AttributeRow[]) => rows.sort((a, b) => (a.name < b.name ? -1 : 1));
        expect(sorted(oneByOne(shuffled))).toEqual(sorted(oneByOne(inputs)));
      }),
    );
  });

  it('trusts a value only as much as the most trusted writer of exactly this value', () => {
    const write = fc.record({
      input: input,
      source: fc.constantFrom(...attributeSources),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
        const trust = (source: AttributeSource): number => attributeSources.indexOf(source);
        const rows = writes.reduce<AttributeRow[]>(
          (stored, { input: one, source }) =>
            mergeAttributes(stored, [one], { source, overrules: source === 'api', nowMs: NOW }).rows,
          [],
        );
        for (const { name, value, source } of rows) {
          const writers = writes.filter(({ input: one }) => one.name === name && one.value === value);
          expect(Math.max(...writers.map((one) => trust(one.source)))).toBeGreaterThanOrEqual(trust(source));
        }
      }),
    );
  });

  it.each<[string, AttributeRow, AttributeWriter, AttributeSource]>([
    ['keeps the trust in a value that a device repeats later', row('$email', 'x', 1, 'api'), sdk, 'api'],
    ['raises the trust in a value that a backend confirms', row('$email', 'x', NOW, 'sdk'), backend, 'api'],
    ['drops the trust when a device changes the value', row('$email', 'y', 1, 'api'), sdk, 'sdk'],
  ])('%s', (_, stored, writer, source) => {
    expect(mergeAttributes([stored], [set('$email', 'x')], writer).rows[0]?.source).toBe(source);
  });

  it('changes nothing when the same write repeats', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
        const { rows } = mergeAttributes([], inputs, sdk);
        expect(mergeAttributes(rows, inputs, sdk).changed).toEqual([]);
      }),
    );
  });
});
