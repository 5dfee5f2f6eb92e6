import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('redemption_links', {
  merge: {
    redemption: `UPDATE redemption_links SET
       customer_id = CASE WHEN customer_id = $2 THEN $3 ELSE customer_id END,
       redeemed_by_customer_id = CASE WHEN redeemed_by_customer_id = $2 THEN $3 ELSE redeemed_by_customer_id END
     WHERE project_id = $1 AND (customer_id = $2 OR redeemed_by_customer_id = $2)`,
  },
  erase: {
    links: `DELETE FROM redemption_links WHERE project_id = $1 AND customer_id = $2`,
    redeemed: `UPDATE redemption_links SET redeemed_by = NULL, redeemed_by_customer_id = NULL
     WHERE project_id = $1 AND redeemed_by_customer_id = $2 AND customer_id <> $2`,
  },
});
