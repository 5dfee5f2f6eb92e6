import { readTaxRates } from './tax-rates.policy.js';

describe('tax rates of outside purchases', () => {
  it('accepts basis points by country', () => {
    expect(readTaxRates({})).toEqual({});
    expect(readTaxRates({ ES: 2100, US: 0, HU: 10_000 })).toEqual({ ES: 2100, US: 0, HU: 10_000 });
  });

  it.each([
    [null],
    ['ES'],
    [[]],
    [{ es: 2100 }],
    [{ ESP: 2100 }],
    [{ XX: 2100 }],
    [{ __proto__x: 1 }],
    [{ ES: -1 }],
    [{ ES: 10_001 }],
    [{ ES: 21.5 }],
    [{ ES: '2100' }],
    [{ ES: null }],
  ])('rejects %j, naming the field', (value) => {
    expect(() => readTaxRates(value)).toThrow('outside_purchase_tax_rates');
  });
});
