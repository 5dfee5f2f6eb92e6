import type { ListedProduct } from '../../../libs/stores/index.js';
import type { Product } from '../../catalog/products/product.entity.js';
import { compareListing } from './listing-comparison.js';

const here = (storeIdentifier: string, more: Partial<Product> = {}): Product =>
  ({
    id: storeIdentifier,
    storeIdentifier,
    type: 'subscription',
    state: 'active',
    duration: 'P1M',
    ...more,
  }) as Product;

const listed = (storeIdentifier: string, more: Partial<ListedProduct> = {}): ListedProduct => ({
  storeIdentifier,
  parentIdentifier: null,
  type: 'subscription',
  displayName: null,
  duration: 'P1M',
  trialDuration: null,
  price: null,
  state: 'active',
  storeState: 'ACTIVE',
  offers: [],
  ...more,
});

const differences = (products: Product[], listing: ListedProduct[]) =>
  compareListing(products, listing).different.map(({ field, here: own, inStore }) => [field, own, inStore]);

describe('the comparison with a store', () => {
  it.each([
    ['P1Y', 'P12M', []],
    ['P1W', 'P7D', []],
    ['P1M', 'P30D', [['duration', 'P1M', 'P30D']]],
    ['P1M', 'P4W', [['duration', 'P1M', 'P4W']]],
    [null, 'P1M', [['duration', null, 'P1M']]],
    ['P1M', null, []],
  ])('compares the length of %s and %s', (own, inStore, expected) => {
    expect(differences([here('a', { duration: own })], [listed('a', { duration: inStore })])).toEqual(
      expected,
    );
  });

  it.each([
    ['consumable', 'one_time', []],
    ['one_time', 'non_consumable', []],
    ['consumable', 'non_consumable', [['type', 'consumable', 'non_consumable']]],
    ['subscription', 'one_time', [['type', 'subscription', 'one_time']]],
    ['one_time', 'subscription', [['type', 'one_time', 'subscription']]],
  ] as const)('compares the types %s and %s', (own, inStore, expected) => {
    const products = [here('a', { type: own, duration: null })];
    expect(differences(products, [listed('a', { type: inStore, duration: null })])).toEqual(expected);
  });

  it.each([
    ['active', 'inactive', [['state', 'active', 'inactive']]],
    ['inactive', 'active', [['state', 'inactive', 'active']]],
    ['active', 'draft', []],
    ['inactive', 'inactive', []],
    ['inactive', 'draft', []],
  ] as const)('compares the states %s and %s', (own, inStore, expected) => {
    expect(differences([here('a', { state: own })], [listed('a', { state: inStore })])).toEqual(expected);
  });

  it('leaves out what is no longer sold', () => {
    const compared = compareListing(
      [here('gone'), here('archived', { state: 'inactive' })],
      [listed('new'), listed('old', { state: 'inactive' })],
    );
    expect(compared.missingHere.map(({ storeIdentifier }) => storeIdentifier)).toEqual(['new']);
    expect(compared.missingInStore.map(({ storeIdentifier }) => storeIdentifier)).toEqual(['gone']);
  });

  it('lets a product represent all that share its identifier as a parent', () => {
    const monthly = listed('pro:m', { parentIdentifier: 'pro' });
    const yearly = listed('pro:y', { parentIdentifier: 'pro', duration: 'P1Y' });
    expect(compareListing([here('pro')], [monthly, yearly])).toEqual({
      missingHere: [],
      missingInStore: [],
      different: [],
    });
    // With a product of its own for the year, only the month is left to compare.
    const both = [here('pro', { duration: 'P1Y' }), here('pro:y', { duration: 'P1Y' })];
    expect(differences(both, [monthly, yearly])).toEqual([['duration', 'P1Y', 'P1M']]);
  });
});
