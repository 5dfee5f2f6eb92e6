import { added, type CountedValue, OTHER_VALUES, printable, withinLimit } from './counted-value.js';

const counted = (value: string, count = 1, field = 'status'): CountedValue => ({
  field,
  value,
  count,
  firstSeenAtMs: 1,
  lastSeenAtMs: 2,
});
const fifty = Array.from({ length: 50 }, (_, index) => ({ field: 'status', value: `value-${index}` }));

describe('unknown values of stores', () => {
  it('cuts values to 64 printable ASCII characters', () => {
    expect(printable('NEW_STATE')).toBe('NEW_STATE');
    expect(printable('a\u0000b\nç€')).toBe('a?b???'.slice(0, 6));
    expect(printable('x'.repeat(200))).toBe('x'.repeat(64));
  });

  it('adds counts and keeps the first and last time', () => {
    const later = { ...counted('a', 2), firstSeenAtMs: 5, lastSeenAtMs: 9 };
    expect(added(counted('a'), later)).toEqual({ ...counted('a', 3), firstSeenAtMs: 1, lastSeenAtMs: 9 });
    expect(added(undefined, later)).toEqual(later);
  });

  it('counts values as other values once a field has 50', () => {
    const found = withinLimit([counted('value-7', 4), counted('new', 2), counted('newer')], fifty);
    expect(found).toEqual([counted('value-7', 4), counted(OTHER_VALUES, 3)]);
  });

  it('limits each field on its own', () => {
    expect(withinLimit([counted('new', 1, 'reason')], fifty)).toEqual([counted('new', 1, 'reason')]);
  });

  it('fills the last free place of a field in the order of arrival', () => {
    const found = withinLimit([counted('first'), counted('second')], fifty.slice(1));
    expect(found.map(({ value }) => value)).toEqual(['first', OTHER_VALUES]);
  });

  it('excludes other values from the limit', () => {
    const known = [...fifty.slice(1), { field: 'status', value: OTHER_VALUES }];
    expect(withinLimit([counted('first')], known)).toEqual([counted('first')]);
  });
});
