import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('ownership_changes', {
  merge: {
    givers: `UPDATE ownership_changes SET from_customer_id = $3 WHERE project_id = $1 AND from_customer_id = $2`,
    takers: `UPDATE ownership_changes SET to_customer_id = $3 WHERE project_id = $1 AND to_customer_id = $2`,
  },
  erase: {
    bought: `SELECT id FROM subscriptions UNION ALL SELECT id FROM one_time`,
    records: `DELETE FROM ownership_changes WHERE project_id = $1 AND purchase_id = ANY (ARRAY(SELECT id FROM bought))`,
    given: `UPDATE ownership_changes SET from_app_user_id = NULL,
       to_app_user_id = CASE WHEN to_customer_id = $2 THEN NULL ELSE to_app_user_id END
     WHERE project_id = $1 AND from_customer_id = $2 AND NOT (purchase_id = ANY (ARRAY(SELECT id FROM bought)))`,
    taken: `UPDATE ownership_changes SET to_app_user_id = NULL
     WHERE project_id = $1 AND to_customer_id = $2 AND from_customer_id <> $2
       AND NOT (purchase_id = ANY (ARRAY(SELECT id FROM bought)))`,
  },
});
