import { statement } from '../../platform/database/statement.js';

/** Locks until the end of the transaction, so that the next transaction that spaces out deliveries finds these. */
export const lockIntegrations = statement(
  'webhook_deliveries.lock_integrations',
  'SELECT id FROM webhook_integrations WHERE project_id = $1 ORDER BY id FOR NO KEY UPDATE',
);

/**
 * Spaces out the first attempts of new deliveries: at most $5 a second to each integration, after those already spaced
 * out. $2 and $3: ids and times of the events; $4: current time.
 */
export const pace = statement(
  'webhook_deliveries.pace',
  `WITH own AS (
     SELECT d.project_id, d.created_at, d.id, d.webhook_integration_id,
       row_number() OVER (PARTITION BY d.webhook_integration_id ORDER BY e.place) - 1 AS place
     FROM unnest($2::text[], $3::timestamptz[]) WITH ORDINALITY AS e (id, created_at, place)
     JOIN webhook_integrations w ON w.project_id = $1
     JOIN webhook_deliveries d ON d.project_id = $1 AND d.created_at = e.created_at
       AND d.id = 'whd_' || substr(md5(e.id || w.id), 1, 16)
   ), started AS (
     SELECT w.id, coalesce(last.next_attempt_at + 1000.0 / $5::int * interval '1 millisecond', $4::timestamptz) AS at
     FROM webhook_integrations w LEFT JOIN LATERAL (
       SELECT p.next_attempt_at FROM webhook_deliveries p
       WHERE p.project_id = $1 AND p.webhook_integration_id = w.id AND p.status = 'pending'
         AND p.next_attempt_at > $4 AND p.attempts = 0 AND p.lease_until IS NULL AND NOT p.replay
       ORDER BY p.next_attempt_at DESC LIMIT 1) last ON true
     WHERE w.project_id = $1
   )
   UPDATE webhook_deliveries d
   SET next_attempt_at = s.at + floor(own.place * 1000.0 / $5::int) * interval '1 millisecond'
   FROM own JOIN started s ON s.id = own.webhook_integration_id
   WHERE d.project_id = own.project_id AND d.created_at = own.created_at AND d.id = own.id`,
);
