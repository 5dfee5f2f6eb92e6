import fc from 'fast-check';
import { balanceOf, type Lot, shareOf, spend, revokeFromLots } from './lots.js';

const lots = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    remaining: fc.nat(1000),
    expiresAtMs: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

function after(before: readonly Lot[], changes: { id: string; remaining: number }[]): Lot[] {
  const changed = new Map(changes.map(({ id, remaining }) => [id, remaining]));
  return before.map((lot) => ({ ...lot, remaining: changed.get(lot.id) ?? lot.remaining }));
}

describe('spending lots', () => {
  it('takes exactly the amount, or nothing at all', () => {
    fc.assert(
      fc.property(lots, fc.nat(5000), (before, amount) => {
        const changes = spend(before, amount);
        if (changes === null) return amount > balanceOf(before);
        const left = after(before, changes);
        return (
          balanceOf(left) === balanceOf(before) - amount && left.every(({ remaining }) => remaining >= 0)
        );
      }),
    );
  });

  it('leaves nothing that expires sooner than what it took', () => {
    fc.assert(
      fc.property(lots, fc.nat(5000), (before, amount) => {
        const changes = spend(before, amount) ?? [];
        const expiry = ({ expiresAtMs }: Lot) => expiresAtMs ?? Infinity;
        const taken = before.filter(({ id }) => changes.some((change) => change.id === id));
        const latest = Math.max(...taken.map(expiry), -Infinity);
        return after(before, changes).every((lot) => expiry(lot) >= latest || lot.remaining === 0);
      }),
    );
  });

  it('spends what expires first, then what never does', () => {
    const before = [
      { id: 'a', remaining: 5, expiresAtMs: null },
      { id: 'b', remaining: 5, expiresAtMs: 20 },
      { id: 'c', remaining: 5, expiresAtMs: 10 },
    ];
    expect(spend(before, 12)).toEqual([
      { id: 'c', remaining: 0 },
      { id: 'b', remaining: 0 },
      { id: 'a', remaining: 3 },
    ]);
  });

  it('takes back its own lot first, then others, and never below zero', () => {
    fc.assert(
      fc.property(lots, fc.nat(5000), fc.nat(7), (before, amount, index) => {
        const own = before[index % Math.max(before.length, 1)];
        const left = after(before, revokeFromLots(before, amount, own?.id ?? 'none'));
        const rest = left.find(({ id }) => id === own?.id)?.remaining ?? 0;
        return (
          balanceOf(left) === Math.max(0, balanceOf(before) - amount) &&
          rest === Math.max(0, (own?.remaining ?? 0) - amount)
        );
      }),
    );
  });
});

describe('a share of an amount', () => {
  it.each([
    [100, 1, 2, 50],
    [100, 1, 3, 34],
    [1, 1, 1_000_000, 1],
    [100, 0, 7, 0],
    [100, 7, 7, 100],
    [100, 8, 7, 100],
    [2_000_000_000, 31_622_400_000 - 1, 31_622_400_000, 2_000_000_000],
  ])('splits %d by %d of %d: %d', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share);
  });

  it('rounds up by less than one', () => {
    const whole = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(1_000), whole, (amount, part, all) => {
        const exact = (amount * Math.min(part, all)) / all;
        const share = shareOf(amount, part, all);
        return share >= exact && share - exact < 1 && share <= amount;
      }),
    );
  });
});
