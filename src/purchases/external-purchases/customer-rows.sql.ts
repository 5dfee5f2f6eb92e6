import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('external_purchase_tokens', {
  merge: {
    external_tokens: `UPDATE external_purchase_tokens SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    external_tokens: `-- The store still needs a report about them; they do not name the customer.
     UPDATE external_purchase_tokens SET customer_id = NULL WHERE project_id = $1 AND customer_id = $2`,
  },
});
