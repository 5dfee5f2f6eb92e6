import { pathOfParam, valueAt, withValue } from './form-values.js';

const values = {
  name: 'Gold',
  test_store_price: { amount_micros: '', currency: 'USD' },
  product_grants: [
    { product_ids: ['a', 'b'], amount: '1' },
    { product_ids: [], amount: '2' },
  ],
  event_types: null,
};

describe('the values of a form', () => {
  it('reads nested values and items of lists', () => {
    expect(valueAt(values, 'name')).toBe('Gold');
    expect(valueAt(values, 'test_store_price.currency')).toBe('USD');
    expect(valueAt(values, 'product_grants.1.amount')).toBe('2');
    expect(valueAt(values, 'product_grants.2.amount')).toBeUndefined();
    expect(valueAt(values, 'event_types.0')).toBeUndefined();
  });

  it('changes a copy and keeps everything beside the path', () => {
    const changed = withValue(values, 'product_grants.1.amount', '3');
    expect(changed.product_grants[1]).toEqual({ product_ids: [], amount: '3' });
    expect(changed.product_grants[0]).toBe(values.product_grants[0]);
    expect(changed.test_store_price).toBe(values.test_store_price);
    expect(values.product_grants[1]?.amount).toBe('2');
  });

  it('replaces a list as a whole', () => {
    expect(withValue(values, 'product_grants', []).product_grants).toEqual([]);
    expect(withValue(values, 'product_grants.0.product_ids', ['c']).product_grants[0]).toEqual({
      product_ids: ['c'],
      amount: '1',
    });
  });

  it.each([
    ['name', 'name'],
    ['test_store_price.amount_micros', 'test_store_price.amount_micros'],
    ['test_store_price', 'test_store_price'],
    ['product_grants', 'product_grants'],
    ['product_grants.0.amount', 'product_grants.0.amount'],
    ['product_grants[1].amount', 'product_grants.1.amount'],
    ['product_grants.1', 'product_grants.1'],
    // Inside a value, or inside a list of single values.
    ['event_types.0', 'event_types'],
    ['product_grants.0.product_ids.1', 'product_grants.0.product_ids'],
    ['product_grants.0.product_ids[7]', 'product_grants.0.product_ids'],
    // Unknown fields of an item belong to the item.
    ['product_grants.0.expires', 'product_grants.0'],
    ['product_grants.5.amount', 'product_grants'],
  ])('finds the value of the param %s', (param, path) => {
    expect(pathOfParam(values, param)).toBe(path);
  });

  it.each(['colour', 'test_store_price.colour', 'names', ''])('knows no value of the param "%s"', (param) => {
    expect(pathOfParam(values, param)).toBeNull();
  });
});
