import { statement } from '../database/statement.js';

/** The integrations that have open deliveries, found by stepping through the queue index from one to the next. */
const queues = `
  (SELECT d.project_id, d.webhook_integration_id FROM webhook_deliveries d WHERE d.status = 'pending'
   ORDER BY d.project_id, d.webhook_integration_id LIMIT 1)
  UNION ALL
  SELECT next.project_id, next.webhook_integration_id FROM queues q CROSS JOIN LATERAL (
    SELECT d.project_id, d.webhook_integration_id FROM webhook_deliveries d
    WHERE d.status = 'pending'
      AND (d.project_id, d.webhook_integration_id) > (q.project_id, q.webhook_integration_id)
    ORDER BY d.project_id, d.webhook_integration_id LIMIT 1) next`;

/**
 * Takes what is due at $1 and leases it until $2: $3 deliveries at most, oldest first, and of each integration
 * what it has places for ($4 and $5: integrations with attempts under way and their free places; $6: places of
 * the others). Deliveries of a paused integration wait; those whose integration is gone are dropped. A lease
 * that ends makes the delivery due again.
 */
export const claim = statement(
  'webhook_deliveries.claim',
  `WITH RECURSIVE queues AS (${queues}
   ), due AS MATERIALIZED (
     SELECT head.*, w.id IS NULL AS orphan
     FROM queues q
     LEFT JOIN webhook_integrations w ON w.project_id = q.project_id AND w.id = q.webhook_integration_id
     LEFT JOIN unnest($4::text[], $5::int[]) AS f (webhook_integration_id, places)
       ON f.webhook_integration_id = q.webhook_integration_id
     CROSS JOIN LATERAL (
       SELECT d.project_id, d.created_at, d.id, d.next_attempt_at FROM webhook_deliveries d
       WHERE d.project_id = q.project_id AND d.webhook_integration_id = q.webhook_integration_id
         AND d.status = 'pending' AND d.next_attempt_at <= $1
       ORDER BY d.next_attempt_at LIMIT coalesce(f.places, $6::int)) head
     WHERE w.enabled IS NOT FALSE
     ORDER BY head.next_attempt_at LIMIT $3::int
   ), taken AS (
     SELECT d.project_id, d.created_at, d.id, due.orphan FROM due
     JOIN webhook_deliveries d USING (project_id, created_at, id)
     WHERE d.status = 'pending' AND d.next_attempt_at <= $1
     FOR UPDATE OF d SKIP LOCKED
   ), dropped AS (
     DELETE FROM webhook_deliveries d USING taken t
     WHERE t.orphan AND d.project_id = t.project_id AND d.created_at = t.created_at AND d.id = t.id
   ), leased AS (
     UPDATE webhook_deliveries d SET next_attempt_at = $2, lease_until = $2 FROM taken t
     WHERE NOT t.orphan AND d.project_id = t.project_id AND d.created_at = t.created_at AND d.id = t.id
     RETURNING d.*
   )
   SELECT l.project_id AS "projectId", l.id, l.created_at AS "createdAt",
     l.webhook_integration_id AS "webhookIntegrationId", l.attempts, w.url,
     w.sealed_signing_secret AS "sealedSigningSecret", w.sealed_authorization_header AS "sealedAuthorizationHeader",
     e.body::text AS event
   FROM leased l
   JOIN webhook_integrations w ON w.project_id = l.project_id AND w.id = l.webhook_integration_id
   JOIN events e ON e.project_id = l.project_id AND e.created_at = l.event_created_at AND e.id = l.event_id`,
);

/** $1 to $4: arrays of keys and of the ends that the leases are known to have; $5: their new end. */
export const renew = statement(
  'webhook_deliveries.renew',
  `UPDATE webhook_deliveries d SET next_attempt_at = $5, lease_until = $5
   FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[])
     AS held (project_id, created_at, id, lease_until)
   WHERE d.project_id = held.project_id AND d.created_at = held.created_at AND d.id = held.id
     AND d.status = 'pending' AND d.lease_until = held.lease_until`,
);

/** Only the holder of the lease ($4) writes: after a lost lease somebody else's attempt counts. */
export const finish = statement(
  'webhook_deliveries.finish',
  `UPDATE webhook_deliveries SET status = $5, attempts = $6, next_attempt_at = $7, lease_until = NULL,
     response_status = $8, response_ms = $9, last_error = $10, last_attempt_at = $11
   WHERE project_id = $1 AND created_at = $2 AND id = $3 AND status = 'pending' AND lease_until = $4`,
);

export const dropOpen = statement(
  'webhook_deliveries.drop_open',
  `DELETE FROM webhook_deliveries WHERE project_id = $1 AND webhook_integration_id = $2 AND status = 'pending'`,
);

/** Paused integrations do not count: their deliveries are not meant to be sent. */
export const oldestDue = statement(
  'webhook_deliveries.oldest_due',
  `SELECT min(head.next_attempt_at) AS "dueAt" FROM webhook_integrations w CROSS JOIN LATERAL (
     SELECT d.next_attempt_at FROM webhook_deliveries d
     WHERE d.project_id = w.project_id AND d.webhook_integration_id = w.id AND d.status = 'pending'
     ORDER BY d.next_attempt_at LIMIT 1) head
   WHERE w.enabled`,
);
