import { customerRows } from '../../customers/customers/identity/customer-rows.js';

customerRows('subscriptions', {
  merge: {
    subscriptions: `UPDATE subscriptions SET customer_id = $3, version = version + 1 WHERE project_id = $1 AND customer_id = $2
     RETURNING id`,
  },
  erase: {
    subscriptions: `DELETE FROM subscriptions WHERE project_id = $1 AND customer_id = $2 RETURNING id`,
  },
});

customerRows('store_transactions', {
  merge: {
    subscription_money: `UPDATE store_transactions SET customer_id = $3
     WHERE project_id = $1 AND subscription_id = ANY (ARRAY(SELECT id FROM subscriptions))`,
    one_time_money: `UPDATE store_transactions SET customer_id = $3
     WHERE project_id = $1 AND purchase_id = ANY (ARRAY(SELECT id FROM one_time))`,
  },
  erase: {
    subscription_money: `DELETE FROM store_transactions
     WHERE project_id = $1 AND subscription_id = ANY (ARRAY(SELECT id FROM subscriptions))
       AND ($3 OR kind <> 'renewal') RETURNING 1`,
    one_time_money: `DELETE FROM store_transactions
     WHERE project_id = $1 AND purchase_id = ANY (ARRAY(SELECT id FROM one_time)) RETURNING 1`,
  },
});
