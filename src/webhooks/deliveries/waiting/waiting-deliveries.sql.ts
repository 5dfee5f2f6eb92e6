import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { acrossProjects, LONG_MS, longStatement, statement } from '../../../platform/database/statement.js';

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

/**
 * Ends the attempt of the delivery $2, $3 under the lease $4. It waits ($5: reason, $6: attributes, $7: end, $8:
 * customer, who must be locked), or is due again at $9 if that is set.
 */
export const recordWait = statement(
  'webhook_deliveries.record_wait',
  `UPDATE webhook_deliveries SET status = CASE WHEN $9::timestamptz IS NULL THEN 'waiting' ELSE 'pending' END,
     next_attempt_at = $9, lease_until = NULL, reason = CASE WHEN $9::timestamptz IS NULL THEN $5::text END,
     waits_for = CASE WHEN $9::timestamptz IS NULL THEN $6::text[] END,
     wait_until = CASE WHEN $9::timestamptz IS NULL THEN $7::timestamptz END,
     customer_id = CASE WHEN $9::timestamptz IS NULL THEN $8 ELSE customer_id END
   WHERE project_id = $1 AND created_at = $2 AND id = $3 AND status = 'pending' AND lease_until = $4`,
);

/** Projects with waits that ended by $1. */
export const projectsWithEndedWaits = acrossProjects(
  'webhook_deliveries.projects_with_ended_waits',
  `SELECT DISTINCT d.project_id AS "projectId" FROM webhook_deliveries d
   WHERE d.status = 'waiting' AND d.wait_until <= $1 AND ${isHere('d.project_id')}`,
  LONG_MS,
);

/** Skips at most $3 deliveries whose wait ended by $2. */
export const skipEnded = longStatement(
  'webhook_deliveries.skip_ended',
  `WITH ended AS (
     SELECT d.created_at, d.id FROM webhook_deliveries d
     WHERE d.project_id = $1 AND d.status = 'waiting' AND d.wait_until <= $2 LIMIT $3 FOR UPDATE SKIP LOCKED
   )
   UPDATE webhook_deliveries d SET status = 'skipped' FROM ended
   WHERE d.project_id = $1 AND d.created_at = ended.created_at AND d.id = ended.id
   RETURNING d.reason`,
);

/** Deliveries of all projects that wait, at most $2 of them. $1: current time. */
export const countWaiting = acrossProjects(
  'webhook_deliveries.count_waiting',
  `SELECT count(*)::int AS count FROM (
     SELECT 1 FROM webhook_deliveries d
     WHERE d.status = 'waiting' AND d.wait_until > $1 AND ${isHere('d.project_id')} LIMIT $2) waiting`,
);
