import type { NewTestPurchase, Scenario } from './test-purchases.queries.js';

export interface PurchaseFields {
  scenario: string;
  app_user_id: string;
  product_id: string;
  subscription_id: string;
  new_product_id: string;
  transfer_to: string;
  price: string;
  currency: string;
  offset_days: string;
}

export const needsNewProduct = (scenario: string): boolean => scenario.startsWith('product_change');
export const needsReceiver = (scenario: string): boolean => scenario === 'transfer';

const given = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
const number = (value: string): number | undefined =>
  given(value) === undefined ? undefined : Number(value);

/** The body of `createTestPurchase`, without fields that the scenario does not use. */
export function purchaseBody(fields: PurchaseFields): NewTestPurchase {
  const { scenario } = fields;
  const change = {
    scenario: scenario as Scenario,
    new_product_id: needsNewProduct(scenario) ? given(fields.new_product_id) : undefined,
    transfer_to: needsReceiver(scenario) ? given(fields.transfer_to) : undefined,
    price: number(fields.price),
    currency: given(fields.currency)?.toUpperCase(),
  };
  if (fields.subscription_id !== '') return { ...change, subscription_id: fields.subscription_id };
  return {
    ...change,
    app_user_id: fields.app_user_id,
    product_id: fields.product_id,
    offset_days: number(fields.offset_days),
  };
}
