import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('events', {
  merge: {
    history: `UPDATE events SET customer_id = CASE WHEN customer_id = $2 THEN $3 ELSE customer_id END,
       other_customer_id = CASE WHEN other_customer_id = $2 THEN $3 ELSE other_customer_id END
     WHERE project_id = $1 AND (customer_id = $2 OR other_customer_id = $2)`,
  },
  erase: 'deleted in batches after the customer',
});
