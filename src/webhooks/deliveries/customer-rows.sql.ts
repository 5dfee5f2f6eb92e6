import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('webhook_deliveries', {
  merge: {
    // Deliveries that wait for an attribute are judged again: the merged customer may have it.
    waiting_events: `UPDATE webhook_deliveries SET customer_id = $3, status = 'pending',
       next_attempt_at = CASE WHEN status = 'waiting' THEN $4 ELSE next_attempt_at END,
       reason = CASE WHEN status = 'pending' THEN reason END, waits_for = NULL, wait_until = NULL
     WHERE project_id = $1 AND (customer_id = $2 AND status = 'pending'
       OR customer_id IN ($2, $3) AND status = 'waiting' AND wait_until > $4)`,
  },
  erase: 'deleted in batches with their events',
});
