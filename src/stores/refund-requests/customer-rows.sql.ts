import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('refund_requests', {
  merge: {
    refund_requests: `UPDATE refund_requests SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    refund_requests: `-- The amounts stay in the statistics; nothing left in the row describes the customer.
     UPDATE refund_requests SET customer_id = NULL, store_data = NULL, facts = NULL, evidence = NULL,
       body_sent = NULL, note = NULL
     WHERE project_id = $1 AND customer_id = $2`,
  },
});
