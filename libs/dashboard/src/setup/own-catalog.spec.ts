import type { Schema } from '../api/types.js';
import { findOwn, nameFrom, nextOwnStep, packageOf } from './own-catalog.js';
import type { Catalog } from './sample-catalog.js';

const product = { id: 'prod1', store_identifier: 'gold_yearly' } as Schema<'ProductDto'>;
const list = <Item>(...items: Item[]) => ({ object: 'list' as const, items, next_page: null, url: '' });
const entitlement = { id: 'entl1', products: list(product) } as unknown as Schema<'EntitlementDto'>;
const holder = { id: 'pkge1', products: list({ product }) } as unknown as Schema<'PackageDto'>;
const offering = {
  id: 'ofrng1',
  is_current: true,
  packages: list(holder),
} as unknown as Schema<'OfferingDto'>;
const nothing: Catalog = { products: [], entitlements: [], offerings: [] };

describe('a catalog of one’s own', () => {
  it('needs a product, an entitlement, an offering and a package, in this order', () => {
    const steps = [
      nothing,
      { ...nothing, products: [product] },
      { ...nothing, products: [product], entitlements: [entitlement] },
      {
        products: [product],
        entitlements: [entitlement],
        offerings: [{ ...offering, packages: list<Schema<'PackageDto'>>() }],
      },
      { products: [product], entitlements: [entitlement], offerings: [offering] },
    ].map((catalog) => nextOwnStep(findOwn(catalog)));
    expect(steps).toEqual(['product', 'entitlement', 'offering', 'package', undefined]);
  });

  it('does not count an entitlement that the product does not unlock', () => {
    const other = { ...entitlement, products: list<Schema<'ProductDto'>>() } as Schema<'EntitlementDto'>;
    expect(nextOwnStep(findOwn({ ...nothing, products: [product], entitlements: [other] }))).toBe(
      'entitlement',
    );
  });

  it('chooses the package by the period of the product', () => {
    const yearly = { ...product, subscription: { duration: 'P1Y' } } as Schema<'ProductDto'>;
    expect(packageOf(yearly).lookup_key).toBe('$rc_annual');
    expect(packageOf(product).lookup_key).toBe('$rc_monthly');
  });

  it('suggests a name for an identifier', () => {
    expect(nameFrom('gold_yearly')).toBe('Gold yearly');
    expect(nameFrom('gold:p1y')).toBe('Gold p1y');
    expect(nameFrom('')).toBe('');
  });
});
