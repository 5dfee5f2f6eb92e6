import { customerRows } from '../customers/identity/customer-rows.js';

const ofCustomer = (
  table: string,
): string => `DELETE FROM ${table} WHERE project_id = $1 AND app_user_id = ANY (ARRAY(
       SELECT app_user_id FROM customer_aliases WHERE project_id = $1 AND customer_id = $2))`;

customerRows('sdk_events', {
  merge: 'they have an app user id, which moves',
  erase: { sdk_events: `${ofCustomer('sdk_events')} RETURNING 1` },
});

customerRows('paywall_views', {
  merge: 'they have an app user id, which moves',
  erase: { paywall_views: ofCustomer('paywall_views') },
});
