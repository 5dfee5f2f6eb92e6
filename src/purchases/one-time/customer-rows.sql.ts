import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('one_time_purchases', {
  merge: {
    one_time: `UPDATE one_time_purchases SET customer_id = $3, version = version + 1 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    one_time: `DELETE FROM one_time_purchases WHERE project_id = $1 AND customer_id = $2 RETURNING 1`,
  },
});
