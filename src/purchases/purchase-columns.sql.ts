/** The columns of a `ChainRow`, for a row `t`. */
export const chainColumns = `t.id, t.app_id AS "appId", t.store, t.environment, t.chain_key AS "chainKey",
  t.customer_id AS "customerId", t.original_customer_id AS "originalCustomerId",
  t.original_customer_app_user_id AS "originalCustomerAppUserId", t.facts, t.facts_at_ms AS "factsAtMs", t.memory`;

/** The columns of a `OneTimeRow`, for a row `t`. */
export const oneTimeColumns = chainColumns.replace(
  't.chain_key AS "chainKey"',
  't.purchase_key AS "purchaseKey"',
);
