import { changedFields } from './changed-fields.js';

describe('changedFields', () => {
  it('names what differs, as the wire calls it', () => {
    const before = { id: 'a', displayName: 'Old', isCurrent: true };
    expect(changedFields(before, { ...before, displayName: 'New', isCurrent: false })).toEqual([
      'display_name',
      'is_current',
    ]);
  });

  it('compares nested objects, and includes removed and added fields', () => {
    expect(
      changedFields({ storeSettings: { a: 1, b: 2 } }, { storeSettings: { b: 2, c: { d: 1 } } }),
    ).toEqual(['store_settings.a', 'store_settings.c']);
  });

  it('ignores unchanged values, the order of keys, and null against absent', () => {
    expect(changedFields({ metadata: { a: 1, b: 2 }, x: null }, { metadata: { b: 2, a: 1 } })).toEqual([]);
  });

  it('compares times', () => {
    const before = { startsAt: new Date(1), endsAt: new Date(2), createdAt: new Date(3) };
    expect(changedFields(before, { startsAt: new Date(1), endsAt: new Date(4), createdAt: null })).toEqual([
      'created_at',
      'ends_at',
    ]);
  });
});
