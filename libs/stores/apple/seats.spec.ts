import fc from 'fast-check';
import { readTiers, seatCount, tiersAmount } from './seats.js';

const amountOf = (reported: unknown): number | null => {
  const tiers = readTiers(reported);
  return tiers && tiersAmount(tiers);
};

const tier = fc.record({ price: fc.nat(1_000_000), quantity: fc.nat(1_000) });

describe('tiers of seats', () => {
  it.each([
    ['S', [{ price: 13_990, quantity: 50 }], 699_500_000, 50],
    [
      'T',
      [
        { price: 9_990, quantity: 5 },
        { price: 7_990, quantity: 3 },
      ],
      73_920_000,
      8,
    ],
    [
      'U',
      [
        { price: 10_000, quantity: 2 },
        { price: 9_000, quantity: 1 },
      ],
      29_000_000,
      3,
    ],
    ['a free trial', [{ price: 0, quantity: 50 }], 0, 50],
  ])('adds up the tiers of %s', (_, tiers, amount, seats) => {
    expect(amountOf(tiers)).toBe(amount);
    expect(seatCount(readTiers(tiers) ?? [])).toBe(seats);
  });

  it('multiplies price and quantity in micros, in any order', () => {
    fc.assert(
      fc.property(fc.array(tier, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (tiers, keys) => {
        const expected = tiers.reduce(
          (sum, { price, quantity }) => sum + BigInt(price * quantity) * 1_000n,
          0n,
        );
        const shuffled = tiers
          .map((one) => ({ one, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(amountOf(tiers)).toBe(Number(expected));
        expect(readTiers(shuffled)).toEqual(readTiers(tiers));
      }),
    );
  });

  it('returns no amount above the largest safe integer', () => {
    const big = fc.record({ price: fc.maxSafeNat(), quantity: fc.maxSafeNat() });
    fc.assert(
      fc.property(fc.array(big, { minLength: 1, maxLength: 5 }), (tiers) => {
        const exact = tiers.reduce(
          (sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity) * 1_000n,
          0n,
        );
        const expected = exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : null;
        expect(amountOf(tiers)).toBe(expected);
      }),
    );
  });

  it.each([
    ['a negative price', [{ price: -1, quantity: 1 }]],
    ['a negative quantity', [{ price: 1, quantity: -1 }]],
    ['a fraction', [{ price: 1.5, quantity: 1 }]],
    ['a price that is not a number', [{ price: '9990', quantity: 1 }]],
    ['no quantity', [{ price: 1 }]],
    ['something else in the list', [null]],
    ['no list', { price: 1, quantity: 1 }],
    ['more than 1,000 tiers', Array.from({ length: 1_001 }, () => ({ price: 1, quantity: 1 }))],
  ])('returns no amount for %s', (_, tiers) => {
    expect(amountOf(tiers)).toBeNull();
  });
});
