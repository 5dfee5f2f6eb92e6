import { statement } from '../../platform/database/statement.js';

/** Locks until the end of the transaction, so that the next transaction that spaces out deliveries finds these. */
export const lockIntegrations = statement(
  'webhook_deliveries.lock_integrations',
  'SELECT id FROM webhook_integrations WHERE project_id = $1 ORDER BY id FOR NO KEY UPDATE',
);

/**
 * New deliveries with the times of their first attempts: at most $5 a second to each integration, after those already
 * spaced out. $2 and $3: ids and times of the events; $4: current time.
 */
export const spaceOut = statement(
  'webhook_deliveries.space_out',
  `SELECT own.created_at AS "createdAt", own.id,
     s.at + floor(own.place * 1000.0 / $5::int) * interval '1 millisecond' AS at
   FROM (
     SELECT d.created_at, d.id, d.webhook_integration_id,
       row_number() OVER (PARTITION BY d.webhook_integration_id ORDER BY e.place) - 1 AS place
     FROM unnest($2::text[], $3::timestamptz[]) WITH ORDINALITY AS e (id, created_at, place)
     JOIN webhook_integrations w ON w.project_id = $1
     JOIN webhook_deliveries d ON d.project_id = $1 AND d.created_at = e.created_at
       AND d.id = 'whd_' || substr(md5(e.id || w.id), 1, 16)) own
   JOIN (
     SELECT w.id, coalesce(last.next_attempt_at + 1000.0 / $5::int * interval '1 millisecond', $4::timestamptz) AS at
     FROM webhook_integrations w LEFT JOIN LATERAL (
       SELECT p.next_attempt_at FROM webhook_deliveries p
       WHERE p.project_id = $1 AND p.webhook_integration_id = w.id AND p.status = 'pending'
         AND p.next_attempt_at > $4 AND p.attempts = 0 AND p.lease_until IS NULL AND NOT p.replay
       ORDER BY p.next_attempt_at DESC LIMIT 1) last ON true
     WHERE w.project_id = $1) s ON s.id = own.webhook_integration_id`,
);

/** Sets the times $4 of the next attempts of the deliveries $2, $3 (times and ids). */
export const postpone = statement(
  'webhook_deliveries.postpone',
  `UPDATE webhook_deliveries d SET next_attempt_at = spaced.at
   FROM unnest($2::timestamptz[], $3::text[], $4::timestamptz[]) AS spaced (created_at, id, at)
   WHERE d.project_id = $1 AND d.created_at = spaced.created_at AND d.id = spaced.id`,
);
