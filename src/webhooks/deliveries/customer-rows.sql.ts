import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('webhook_deliveries', {
  merge: {
    waiting_events: `UPDATE webhook_deliveries SET customer_id = $3
     WHERE project_id = $1 AND customer_id = $2 AND status = 'pending'`,
  },
  erase: 'deleted in batches with their events',
});
