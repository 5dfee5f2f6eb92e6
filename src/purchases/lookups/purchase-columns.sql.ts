const columnsOf = (keyColumn: string, keyField: string): string => `
  t.id, t.app_id AS "appId", t.store, t.environment, t.${keyColumn} AS "${keyField}",
  t.customer_id AS "customerId", t.original_customer_id AS "originalCustomerId",
  t.original_customer_app_user_id AS "originalCustomerAppUserId", t.facts, t.facts_at_ms AS "factsAtMs", t.emitted`;

export const subscriptionColumns = `${columnsOf('store_key', 'storeKey')}, t.granted_entitlement_id AS "grantedEntitlementId"`;

export const oneTimeColumns = columnsOf('purchase_key', 'purchaseKey');

/** The day whose rate converted a row `t` of the ledger to USD. */
export const rateDay = `to_char(coalesce(t.fx_day, (t.purchased_at AT TIME ZONE 'UTC')::date), 'YYYY-MM-DD')`;
