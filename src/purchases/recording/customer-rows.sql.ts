import { customerRows } from '../../customers/customers/identity/customer-rows.js';

const subscriptionsOf = 'SELECT s.id FROM subscriptions s WHERE s.project_id = $1 AND s.customer_id = $2';
const oneTimeOf = 'SELECT o.id FROM one_time_purchases o WHERE o.project_id = $1 AND o.customer_id = $2';

customerRows('subscriptions', {
  merge: {
    subscriptions: `UPDATE subscriptions SET customer_id = $3, version = version + 1 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    subscriptions: `DELETE FROM subscriptions WHERE project_id = $1 AND customer_id = $2 RETURNING 1`,
  },
});

customerRows('store_transactions', {
  merge: {
    subscription_money: `UPDATE store_transactions SET customer_id = $3
     WHERE project_id = $1 AND subscription_id = ANY (ARRAY(${subscriptionsOf}))`,
    one_time_money: `UPDATE store_transactions SET customer_id = $3
     WHERE project_id = $1 AND purchase_id = ANY (ARRAY(${oneTimeOf}))`,
  },
  erase: {
    subscription_money: `DELETE FROM store_transactions
     WHERE project_id = $1 AND subscription_id = ANY (ARRAY(${subscriptionsOf}))
       AND ($3 OR kind <> 'renewal') RETURNING 1`,
    one_time_money: `DELETE FROM store_transactions
     WHERE project_id = $1 AND purchase_id = ANY (ARRAY(${oneTimeOf})) RETURNING 1`,
  },
});
