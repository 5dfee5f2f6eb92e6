/** Id of the customer with an app user id ($1: project); null if there is none. */
export const customerIdOf = (appUserId: string): string => `
  (SELECT a.customer_id FROM customer_aliases a WHERE a.project_id = $1 AND a.app_user_id = ${appUserId})`;

/**
 * App Store subscriptions `s` by their original transaction ($1: project), which may not be recorded: Apple shows it to
 * customers, and it is the key of the subscription.
 */
export const withOriginalTransaction = (id: string): string => `
  FROM subscriptions s WHERE s.project_id = $1 AND s.store IN ('app_store', 'mac_app_store')
    AND s.environment IN ('production', 'sandbox') AND s.store_key = ${id}`;

/** Ids of the customers on a test clock ($1: project). */
export const clockCustomers = (testClockId: string): string => `
  SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.test_clock_id = ${testClockId}`;

/**
 * Joins `c.original_app_user_id` and `c.test_clock_at` of the customer of a row `alias` ($1: project); null if the
 * customer no longer exists. LATERAL with LIMIT forces the planner to look up by key.
 */
export const ownerOf = (alias: string): string => `
  LEFT JOIN LATERAL (
    SELECT c.original_app_user_id, c.test_clock_at FROM customers c
    WHERE c.project_id = $1 AND c.id = ${alias}.customer_id LIMIT 1) c ON true`;
