import { customerRows } from '../../customers/customers/identity/customer-rows.js';

/** Purchases of the customer, before they are erased. */
const boughtBy = `SELECT s.id FROM subscriptions s WHERE s.project_id = $1 AND s.customer_id = $2
       UNION ALL SELECT o.id FROM one_time_purchases o WHERE o.project_id = $1 AND o.customer_id = $2`;

customerRows('ownership_changes', {
  merge: {
    givers: `UPDATE ownership_changes SET from_customer_id = $3 WHERE project_id = $1 AND from_customer_id = $2`,
    takers: `UPDATE ownership_changes SET to_customer_id = $3 WHERE project_id = $1 AND to_customer_id = $2`,
  },
  erase: {
    records: `DELETE FROM ownership_changes WHERE project_id = $1 AND purchase_id = ANY (ARRAY(${boughtBy}))`,
    given: `UPDATE ownership_changes SET from_app_user_id = NULL,
       to_app_user_id = CASE WHEN to_customer_id = $2 THEN NULL ELSE to_app_user_id END
     WHERE project_id = $1 AND from_customer_id = $2 AND NOT (purchase_id = ANY (ARRAY(${boughtBy})))`,
    taken: `UPDATE ownership_changes SET to_app_user_id = NULL
     WHERE project_id = $1 AND to_customer_id = $2 AND from_customer_id <> $2
       AND NOT (purchase_id = ANY (ARRAY(${boughtBy})))`,
  },
});
