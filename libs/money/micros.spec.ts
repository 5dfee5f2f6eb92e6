import fc from 'fast-check';
import { microsToMajor, monetaryAmount, shareMicros } from './index.js';
import { divideRounded } from './micros.js';

const micros = fc.integer({ min: -1e15, max: 1e15 });
const bps = fc.integer({ min: 0, max: 10_000 });

describe('micros in units', () => {
  it.each([
    [9_990_000, 9.99],
    [0, 0],
    [-0, 0],
    [5_000, 0.01],
    [4_999, 0],
    [-4_999, 0],
    [-5_000, -0.01],
    [-9_990_000, -9.99],
    [1_234_567_890_000, 1_234_567.89],
    [1e15, 1e9],
  ])('%i is %f', (amount, units) => {
    expect(microsToMajor(amount)).toBe(units);
  });

  it('matches to the cent: whole cents read as the same decimal number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
        expect(microsToMajor(cents * 10_000)).toBe(Number((cents / 100).toFixed(2)) || 0);
      }),
    );
  });

  it('never lose more than half a cent, and treat both signs alike', () => {
    fc.assert(
      fc.property(micros, (amount) => {
        expect(Math.abs(Math.round(microsToMajor(amount) * 100) * 10_000 - amount)).toBeLessThanOrEqual(
          5_000,
        );
        expect(microsToMajor(-amount) + microsToMajor(amount)).toBe(0);
      }),
    );
  });
});

describe('rounded division', () => {
  it('differs by at most half of the divisor, with halves away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.bigInt(1n, 10n ** 16n), (dividend, divisor) => {
        const rest = dividend - divideRounded(dividend, divisor) * divisor;
        expect(2n * (rest < 0n ? -rest : rest) <= divisor).toBe(true);
      }),
    );
    expect([divideRounded(5n, 2n), divideRounded(-5n, 2n), divideRounded(7n, 3n)]).toEqual([3n, -3n, 2n]);
  });
});

describe('share of an amount', () => {
  it.each([
    [9_990_000, 3000, 2_997_000],
    [-9_990_000, 3000, -2_997_000],
    [1, 5000, 1],
    [-1, 5000, -1],
    [1, 4999, 0],
    [1e15, 10_000, 1e15],
    [1e15, 1, 1e11],
  ])('returns for %i at %i basis points: %i', (amount, share, expected) => {
    expect(shareMicros(amount, share)).toBe(expected);
  });

  it('never loses more than half a micro', () => {
    fc.assert(
      fc.property(micros, bps, (amount, share) => {
        const error = BigInt(shareMicros(amount, share)) * 10_000n - BigInt(amount) * BigInt(share);
        expect(error <= 5_000n && error >= -5_000n).toBe(true);
      }),
    );
  });

  it('refuses amounts and shares that are not integers', () => {
    expect(() => shareMicros(1.5, 3000)).toThrow(RangeError);
    expect(() => shareMicros(1, 0.3)).toThrow(RangeError);
  });
});

describe('monetary amount', () => {
  const cents = (units: number): number => Math.round(units * 100);

  it('gives the parts of a price in units', () => {
    expect(
      monetaryAmount('USD', { grossMicros: 9_990_000, commissionMicros: 2_997_000, taxMicros: 750_000 }),
    ).toEqual({ currency: 'USD', gross: 9.99, commission: 3, tax: 0.75, proceeds: 6.24 });
  });

  it('adds up to gross to the cent, each part within a cent and a half of the exact one', () => {
    fc.assert(
      fc.property(micros, bps, bps, (grossMicros, commissionBps, taxBps) => {
        const commissionMicros = shareMicros(grossMicros, commissionBps);
        const taxMicros = shareMicros(grossMicros, taxBps);
        const amount = monetaryAmount('EUR', { grossMicros, commissionMicros, taxMicros });
        expect(cents(amount.commission) + cents(amount.tax) + cents(amount.proceeds)).toBe(
          cents(amount.gross),
        );
        const proceedsMicros = grossMicros - commissionMicros - taxMicros;
        expect(Math.abs(cents(amount.proceeds) * 10_000 - proceedsMicros)).toBeLessThanOrEqual(15_000);
      }),
    );
  });

  it('reverses every sign of a sale for its refund', () => {
    fc.assert(
      fc.property(micros, bps, (grossMicros, share) => {
        const of = (gross: number) =>
          monetaryAmount('EUR', {
            grossMicros: gross,
            commissionMicros: shareMicros(gross, share),
            taxMicros: 0,
          });
        const sale = of(grossMicros);
        const refund = of(-grossMicros);
        expect([refund.gross, refund.commission, refund.proceeds].map((part) => -part + 0)).toEqual(
          [sale.gross, sale.commission, sale.proceeds].map((part) => part + 0),
        );
      }),
    );
  });
});
