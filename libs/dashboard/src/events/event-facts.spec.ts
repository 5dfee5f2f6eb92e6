import { amountOf, productOf } from './event-facts.js';

describe('the facts of an event', () => {
  it('has the product and the amount of a payment', () => {
    const body = { product_id: 'pro_monthly', price_in_purchased_currency: 9.99, currency: 'EUR' };
    expect(productOf(body)).toBe('pro_monthly');
    expect(amountOf(body)).toEqual({ amount: 9.99, currency: 'EUR' });
  });

  it('has no amount if no money moved, and no product in an event about a customer', () => {
    expect(amountOf({ price_in_purchased_currency: 0, currency: 'EUR' })).toEqual({
      amount: null,
      currency: null,
    });
    expect(amountOf({})).toEqual({ amount: null, currency: null });
    expect(productOf({ product_id: 4 })).toBeNull();
  });
});
