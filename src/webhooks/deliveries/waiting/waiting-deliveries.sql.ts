import { statement } from '../../../platform/database/statement.js';

/** Makes deliveries due at $4 that wait for one of the attributes $3 of the customers $2 (arrays of equal length). */
export const wake = statement(
  'webhook_deliveries.wake',
  `UPDATE webhook_deliveries d
   SET status = 'pending', next_attempt_at = $4, reason = NULL, waits_for = NULL, wait_until = NULL
   FROM (SELECT a.customer_id, array_agg(a.name) AS names FROM unnest($2::text[], $3::text[]) AS a (customer_id, name)
     GROUP BY a.customer_id) arrived
   WHERE d.project_id = $1 AND d.customer_id = arrived.customer_id AND d.status = 'waiting' AND d.wait_until > $4
     AND d.waits_for && arrived.names
   RETURNING d.id`,
);
