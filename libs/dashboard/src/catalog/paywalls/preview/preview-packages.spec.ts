import type { Package, Product } from '../../catalog.types.js';
import { previewPackage, shownProduct } from './preview-packages.js';

const productOf = (id: string, changes: Partial<Product> = {}): Product => ({
  object: 'product',
  id,
  store_identifier: id,
  type: 'subscription',
  state: 'active',
  display_name: null,
  subscription: { duration: 'P1M', grace_period_duration: null, trial_duration: null },
  one_time: null,
  created_at: 0,
  app_id: 'ios',
  ...changes,
});
const packageOf = (key: string, products: Product[] = []): Package => ({
  object: 'package',
  id: key,
  lookup_key: key,
  display_name: key,
  position: 1,
  created_at: 0,
  products: {
    object: 'list',
    items: products.map((product) => ({ product, eligibility_criteria: 'all' })),
    next_page: null,
    url: '',
  },
});

describe('packages of the preview', () => {
  it('have the product of the test store, otherwise the first active one', () => {
    const archived = productOf('old', { state: 'inactive' });
    const item = packageOf('$rc_monthly', [archived, productOf('a'), productOf('b', { app_id: 'test' })]);
    expect(shownProduct(item, new Set(['test']))?.id).toBe('b');
    expect(shownProduct(item, new Set())?.id).toBe('a');
    expect(shownProduct(packageOf('$rc_monthly', [archived]), new Set())).toBeUndefined();
  });

  it.each([
    ['$rc_monthly', 'P1M', 9_990_000],
    ['$rc_annual', 'P1Y', 59_990_000],
    ['$rc_lifetime', null, 99_990_000],
    ['custom', 'P1M', 9_990_000],
  ])('have a price without products: %s', (key, period, amount) => {
    expect(previewPackage(packageOf(key), undefined, undefined)).toEqual({
      identifier: key,
      title: key,
      type: period === null ? 'non_consumable' : 'subscription',
      period,
      trial: null,
      price: { amount_micros: amount, currency: 'USD' },
    });
  });

  it('have the name, trial and test price of their product', () => {
    const product = productOf('pro', {
      display_name: 'Pro',
      subscription: { duration: 'P1Y', grace_period_duration: null, trial_duration: 'P1W' },
    });
    const price = { amount_micros: 79_990_000, currency: 'EUR' };
    expect(previewPackage(packageOf('$rc_annual', [product]), product, price)).toMatchObject({
      title: 'Pro',
      period: 'P1Y',
      trial: 'P1W',
      price,
    });
  });
});
