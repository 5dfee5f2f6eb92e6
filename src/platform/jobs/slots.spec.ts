import { Slots } from './slots.js';

/** Starts tasks of keys with unlimited work until no key gets another slot. */
function fill(slots: Slots, keys: string[], started: Record<string, number> = {}): Record<string, number> {
  for (;;) {
    const { total, byKey, otherKeys } = slots.free();
    let left = total;
    for (const key of keys) {
      const count = Math.min(left, byKey.get(key) ?? otherKeys);
      for (let index = 0; index < count; index++) slots.take(key);
      started[key] = (started[key] ?? 0) + count;
      left -= count;
    }
    if (left === total) return started;
  }
}

describe('slots', () => {
  it('grants one key its limit and no more, and a slot again for each released one', () => {
    const slots = new Slots({ total: 100, perKey: 20 });
    expect(fill(slots, ['a'])).toEqual({ a: 20 });
    expect(slots.free().byKey.get('a')).toBe(0);
    expect(slots.crowded).toBe(true);
    slots.release('a');
    expect(slots.free().byKey.get('a')).toBe(1);
    expect(slots.crowded).toBe(false);
  });

  it.each([1, 3, 5, 10, 20])('reserves room for others while %d keys hold all they can get', (count) => {
    const slots = new Slots({ total: 100, perKey: 20 });
    const keys = Array.from({ length: count }, (_, index) => `hanging ${index}`);
    let started: Record<string, number> = {};
    // Tasks end and others start until the shares are stable.
    for (let turn = 0; turn < 50; turn++) {
      started = fill(slots, keys, started);
      const [biggest = ''] = keys.toSorted((a, b) => (started[b] ?? 0) - (started[a] ?? 0));
      slots.release(biggest);
      started[biggest] = (started[biggest] ?? 0) - 1;
    }
    const { otherKeys, total } = slots.free();
    expect(otherKeys).toBeGreaterThanOrEqual(1);
    expect(total).toBeGreaterThanOrEqual(1);
    expect(fill(slots, ['healthy']).healthy).toBeGreaterThanOrEqual(1);
  });

  it('never hand out more than there is', () => {
    const slots = new Slots({ total: 7, perKey: 20 });
    const started = fill(slots, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    expect(Object.values(started).reduce((sum, count) => sum + count, 0)).toBe(7);
    expect(slots.free()).toMatchObject({ total: 0, otherKeys: 0 });
    expect(slots.crowded).toBe(true);
  });

  it('works with a single place', () => {
    const slots = new Slots({ total: 1, perKey: 1 });
    expect(fill(slots, ['a', 'b'])).toEqual({ a: 1, b: 0 });
    slots.release('a');
    expect(fill(slots, ['b'])).toEqual({ b: 1 });
  });

  it('counts as free while nothing runs', () => {
    expect(new Slots({ total: 1, perKey: 1 }).crowded).toBe(false);
  });
});
