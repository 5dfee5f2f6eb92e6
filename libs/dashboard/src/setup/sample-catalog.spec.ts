import {
  type Catalog,
  doneSteps,
  findSample,
  isSellable,
  lockedProducts,
  withItem,
} from './sample-catalog.js';

const listOf = <Item>(...items: Item[]) => ({ object: 'list', items, next_page: null, url: '' });
const monthly = { id: 'prod1', store_identifier: 'pro_monthly' };
const yearly = { id: 'prod2', store_identifier: 'pro_yearly' };
const catalog = (changes: Record<string, unknown> = {}) =>
  ({ products: [], entitlements: [], offerings: [], ...changes }) as unknown as Catalog;

describe('the sample catalog', () => {
  it('lists everything as missing in an empty project', () => {
    expect(doneSteps(catalog())).toEqual(new Set());
    expect(isSellable(catalog())).toBe(false);
  });

  it('skips what exists, such as what an earlier try made', () => {
    const offering = {
      id: 'ofr1',
      lookup_key: 'default',
      packages: listOf({
        id: 'pkg1',
        lookup_key: '$rc_monthly',
        products: listOf({ product: monthly, eligibility_criteria: 'all' }),
      }),
    };
    const known = catalog({
      products: [monthly, yearly],
      entitlements: [{ id: 'entl1', lookup_key: 'pro', products: listOf(monthly) }],
      offerings: [offering],
    });
    expect([...doneSteps(known)]).toEqual([
      'entitlement',
      'monthly',
      'yearly',
      'offering',
      'monthlyPackage',
      'monthlyInPackage',
    ]);
    expect(lockedProducts(findSample(known))).toEqual(['prod2']);
  });

  it('does not take a product of another name for its own', () => {
    const other = catalog({ products: [{ id: 'p', store_identifier: 'pro' }], offerings: [{ id: 'o' }] });
    expect(doneSteps(other)).toEqual(new Set());
  });
});

it('replaces the item with the same id', () => {
  expect(withItem([{ id: 'a', n: 1 }], { id: 'a', n: 2 })).toEqual([{ id: 'a', n: 2 }]);
  expect(withItem([{ id: 'a' }], { id: 'b' })).toEqual([{ id: 'a' }, { id: 'b' }]);
});
