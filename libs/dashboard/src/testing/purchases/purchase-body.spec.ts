import { purchaseBody, type PurchaseFields } from './purchase-body.js';

const fields: PurchaseFields = {
  scenario: 'purchase',
  app_user_id: 'ada',
  product_id: 'prod1',
  subscription_id: '',
  new_product_id: 'prod2',
  transfer_to: 'grace',
  price: '',
  currency: '',
  offset_days: '',
};

describe('the body of a test purchase', () => {
  it('names buyer and product, and nothing that the scenario does not ask for', () => {
    expect(JSON.parse(JSON.stringify(purchaseBody(fields)))).toEqual({
      scenario: 'purchase',
      app_user_id: 'ada',
      product_id: 'prod1',
    });
  });

  it('takes price, currency and days as they are meant', () => {
    expect(purchaseBody({ ...fields, price: ' 9.99', currency: 'eur', offset_days: '30' })).toMatchObject({
      price: 9.99,
      currency: 'EUR',
      offset_days: 30,
    });
  });

  it('applies to a subscription that exists instead of making a purchase', () => {
    const body = purchaseBody({ ...fields, scenario: 'transfer', subscription_id: 'sub1', offset_days: '3' });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      scenario: 'transfer',
      subscription_id: 'sub1',
      transfer_to: 'grace',
    });
  });

  it('names the new product of a change', () => {
    expect(purchaseBody({ ...fields, scenario: 'product_change_deferred' }).new_product_id).toBe('prod2');
  });
});
