import { customerRows } from '../customers/identity/customer-rows.js';

customerRows('customer_notes', {
  merge: {
    notes: `UPDATE customer_notes SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    notes: `DELETE FROM customer_notes WHERE project_id = $1 AND customer_id = $2`,
  },
});
