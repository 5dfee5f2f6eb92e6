import fc from 'fast-check';
import type { Product } from '../product.entity.js';
import {
  defaultPriceOf,
  pricesAfter,
  pricesOf,
  type PriceTerms,
  rowsOf,
  withDefaultPrice,
} from './product-prices.policy.js';

const created = new Date('2026-01-01T00:00:00Z');
const nowMs = created.getTime() + 1_000;

const product: Product = {
  projectId: 'proj1',
  id: 'prod1',
  appId: 'app1',
  storeIdentifier: 'pro',
  type: 'subscription',
  state: 'active',
  displayName: null,
  duration: 'P1M',
  trialDuration: null,
  gracePeriodDuration: null,
  testStorePriceMicros: null,
  testStorePriceCurrency: null,
  createdAt: created,
};

const price = fc.record({
  currency: fc.constantFrom('CHF', 'EUR', 'GBP', 'JPY', 'USD'),
  micros: fc.integer({ min: 0, max: 1_000 }),
});

describe('prices of a product', () => {
  it('contain the default price once, and no currency twice, after any changes of the default price', () => {
    const run = (changes: (PriceTerms | null)[], stored: PriceTerms[]): void => {
      let rows = rowsOf(product, stored, [], created.getTime());
      let present = withDefaultPrice(product, stored[0] ?? null);
      for (const change of changes) {
        const before = pricesOf(present, rows);
        const after = withDefaultPrice(present, change);
        rows = rowsOf(after, pricesAfter(before, defaultPriceOf(present), change), before, nowMs);
        present = after;
        const currencies = pricesOf(present, rows).map(({ currency }) => currency);
        expect(currencies).toEqual([...new Set(currencies)].sort());
        expect(currencies).toHaveLength(rows.length);
        expect(rows.filter(({ currency }) => currency === change?.currency)).toEqual(
          change ? [expect.objectContaining(change)] : [],
        );
      }
    };
    const storedPrices = fc.uniqueArray(price, { selector: ({ currency }) => currency });
    fc.assert(fc.property(fc.array(fc.option(price)), storedPrices, run));
  });

  it('keep their times until their amount changes', () => {
    const before = rowsOf(product, [{ currency: 'USD', micros: 1 }], [], created.getTime());
    const [same] = rowsOf(product, [{ currency: 'USD', micros: 1 }], before, nowMs);
    const [changed] = rowsOf(product, [{ currency: 'USD', micros: 2 }], before, nowMs);
    expect([same?.createdAt, same?.updatedAt]).toEqual([created, created]);
    expect([changed?.createdAt, changed?.updatedAt]).toEqual([created, new Date(nowMs)]);
  });
});
