import fc from 'fast-check';
import { type RevenueMode, revenueOf } from './revenue.js';
import { renewalWith } from './testing/fixture.js';

const usd = (change: Parameters<typeof renewalWith>[0], mode: RevenueMode = 'gross') =>
  revenueOf(renewalWith(change), mode).revenue;

describe('revenue', () => {
  it.each<[object, RevenueMode, number | null]>([
    [{ price: 10.86 }, 'gross', 10.86],
    [{ price: 10.86 }, 'after_commission', 7.602],
    [{ price: 199.99 }, 'after_commission', 139.993],
    [{ price: -9.99, commission_percentage: 0.15 }, 'after_commission', -8.4915],
    [{ price: 10, tax_percentage: 0.2 }, 'after_commission_and_taxes', 5],
    [{ price: 10, tax_percentage: 0.2 }, 'after_commission', 7],
    [{ price: 10, commission_percentage: undefined }, 'after_commission', 10],
    [{ price: 0.000_001, commission_percentage: 0.5 }, 'after_commission', 0.000_001],
    [{ price: -0.000_001, commission_percentage: 0.5 }, 'after_commission', -0.000_001],
    [{ price: null }, 'gross', null],
    [{ price: undefined }, 'gross', 0],
    [{ price: 0 }, 'after_commission', 0],
    [{ price: 5, period_type: 'TRIAL' }, 'gross', 0],
    [{ price: null, period_type: 'TRIAL' }, 'gross', 0],
    [{ price: -5, period_type: 'TRIAL' }, 'gross', -5],
    [{ price: 5, period_type: 'PROMOTIONAL', store: 'PROMOTIONAL' }, 'gross', 0],
    [{ price: 5, is_family_share: true }, 'gross', 0],
    [{ type: 'REFUND_REVERSED', price: 9.99 }, 'gross', 9.99],
  ])('follows from %j, %s: %s', (change, mode, expected) => {
    expect(usd(change, mode)).toBe(expected);
  });

  it('has the currency of the purchase too', () => {
    const { purchasedRevenue } = revenueOf(renewalWith({ price: null }), 'after_commission');
    expect(purchasedRevenue).toBe(6.993);
  });

  it('keeps every micro, whatever the price and the share', () => {
    const micros = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
    fc.assert(
      fc.property(micros, fc.integer({ min: 0, max: 10_000 }), (price, bps) => {
        const kept =
          usd({ price: price / 1e6, commission_percentage: bps / 10_000 }, 'after_commission') ?? NaN;
        const exact = BigInt(price) * BigInt(10_000 - bps);
        const difference = exact - BigInt(Math.round(kept * 1e6)) * 10_000n;
        expect(difference <= 5000n && difference >= -5000n).toBe(true);
        expect(Math.abs(kept * 1e6 - Math.round(kept * 1e6))).toBeLessThan(0.01);
      }),
    );
  });
});
