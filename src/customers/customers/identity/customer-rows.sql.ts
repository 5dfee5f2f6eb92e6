import { customerRows } from './customer-rows.js';

/** The time from which charts count a customer: first seen or, if earlier, first purchased in production. */
const cohortTime = (customer: string): string => `least(${customer}.first_seen_at, (
         SELECT min(t.purchased_at) FROM store_transactions t
         WHERE t.project_id = $1 AND t.customer_id = ${customer}.id AND t.environment = 'production'
           AND t.ownership = 'purchased' AND t.store <> 'promotional'))`;

/** The first contact of the customer that charts counted first. Runs before the purchases move. */
const origin = `UPDATE customers c SET ${['country', 'platform', 'app_version']
  .map((field) => `first_seen_${field}`)
  .map(
    (column) => `${column} = CASE WHEN o.is_earlier THEN coalesce(o.${column}, c.${column})
         ELSE coalesce(c.${column}, o.${column}) END`,
  )
  .join(', ')}
     FROM (
       SELECT gone.first_seen_country, gone.first_seen_platform, gone.first_seen_app_version,
         ${cohortTime('gone')} < ${cohortTime('kept')} AS is_earlier
       FROM customers gone JOIN customers kept ON kept.project_id = $1 AND kept.id = $3
       WHERE gone.project_id = $1 AND gone.id = $2) o
     WHERE c.project_id = $1 AND c.id = $3`;

customerRows('customers', {
  merge: {
    origin,
  },
  erase: {
    customer: `DELETE FROM customers WHERE project_id = $1 AND id = $2`,
  },
});

customerRows('customer_aliases', {
  merge: {
    aliases: `UPDATE customer_aliases SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    aliases: `DELETE FROM customer_aliases WHERE project_id = $1 AND customer_id = $2 RETURNING 1`,
  },
});

customerRows('customer_attributes', {
  merge: 'the statement itself inserts them',
  erase: {
    attributes: `DELETE FROM customer_attributes WHERE project_id = $1 AND customer_id = $2 RETURNING 1`,
  },
});

customerRows('store_accounts', {
  merge: {
    accounts: `UPDATE store_accounts SET customer_id = $3 WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    accounts: `DELETE FROM store_accounts WHERE project_id = $1 AND customer_id = $2`,
  },
});

customerRows('customer_days', {
  merge: {
    days: `INSERT INTO customer_days (project_id, customer_id, day)
     SELECT $1, $3, day FROM (
       SELECT day FROM customer_days WHERE project_id = $1 AND customer_id = $2
       -- The day that no process has written yet.
       UNION SELECT (last_seen_at AT TIME ZONE 'UTC')::date FROM customers
       WHERE project_id = $1 AND id = $2 AND last_seen_at IS NOT NULL) days
     ON CONFLICT (project_id, customer_id, day) DO NOTHING`,
  },
  erase: {
    days: `DELETE FROM customer_days WHERE project_id = $1 AND customer_id = $2`,
  },
});

customerRows('customer_snapshots', {
  merge: {
    answer: `DELETE FROM customer_snapshots WHERE project_id = $1 AND customer_id = $2`,
  },
  erase: {
    answer: `DELETE FROM customer_snapshots WHERE project_id = $1 AND customer_id = $2`,
  },
});
