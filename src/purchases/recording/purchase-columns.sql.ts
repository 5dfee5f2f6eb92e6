const columnsOf = (keyColumn: string, keyField: string): string => `
  t.id, t.app_id AS "appId", t.store, t.environment, t.${keyColumn} AS "${keyField}",
  t.customer_id AS "customerId", t.original_customer_id AS "originalCustomerId",
  t.original_customer_app_user_id AS "originalCustomerAppUserId", t.facts, t.facts_at_ms AS "factsAtMs", t.memory`;

/** The columns of a `ChainRow`, for a row `t`. */
export const chainColumns = `${columnsOf('chain_key', 'chainKey')}, t.granted_entitlement_id AS "grantedEntitlementId"`;

/** The columns of a `OneTimeRow`, for a row `t`. */
export const oneTimeColumns = columnsOf('purchase_key', 'purchaseKey');
