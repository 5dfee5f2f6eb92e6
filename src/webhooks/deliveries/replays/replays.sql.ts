import { longStatement, statement } from '../../../platform/database/statement.js';
import { eventMatches, orderColumns } from '../delivery-matching.sql.js';

/** One after another, $8 a second, starting at $7. */
const spaced = `$7::timestamptz + floor(place * 1000.0 / $8::float8) * interval '1 millisecond'`;

/** End of a statement whose CTE `sent` contains the keys of the deliveries. $9: id of the replay, $10: its kind. */
const recorded = `recorded AS (
     INSERT INTO webhook_replays (project_id, id, webhook_integration_id, events_from, events_to, event_types,
       deliveries, queued, requested_at)
     SELECT $1, $9, $2, $3, $4, $5, $10, count(*), $7 FROM sent
     RETURNING queued
   ), listed AS (
     INSERT INTO webhook_replay_deliveries (project_id, replay_id, delivery_created_at, delivery_id)
     SELECT $1, $9, sent.created_at, sent.id FROM sent
   )
   SELECT queued FROM recorded`;

/**
 * Failed deliveries of events recorded from $3 until before $4, of the types $5 (empty: all), at most $6, in the order
 * of the events.
 */
export const replayFailed = statement(
  'webhook_replays.replay_failed',
  `WITH chosen AS (
     SELECT d.project_id, d.created_at, d.id,
       row_number() OVER (ORDER BY d.event_created_at, d.event_id) - 1 AS place
     FROM webhook_deliveries d
     WHERE d.project_id = $1 AND d.webhook_integration_id = $2 AND d.status = 'failed'
       AND d.event_created_at >= $3 AND d.event_created_at < $4
       AND (cardinality($5::text[]) = 0 OR d.event_type = ANY ($5))
     ORDER BY place LIMIT $6
   ), sent AS (
     UPDATE webhook_deliveries d SET status = 'pending', reason = NULL, replay = true, next_attempt_at = ${spaced}
     FROM chosen c WHERE d.project_id = c.project_id AND d.created_at = c.created_at AND d.id = c.id
       AND d.status = 'failed'
     RETURNING d.created_at, d.id
   ), ${recorded}`,
);

/** Creates new deliveries for all events that match the integration's filters, whether or not they were sent before. */
export const replayAll = statement(
  'webhook_replays.replay_all',
  `WITH chosen AS (
     SELECT e.*, row_number() OVER (ORDER BY e.created_at, e.id) - 1 AS place, w.id AS integration_id
     FROM webhook_integrations w JOIN events e ON e.project_id = $1
     WHERE w.project_id = $1 AND w.id = $2 AND e.created_at >= $3 AND e.created_at < $4
       AND (cardinality($5::text[]) = 0 OR e.type = ANY ($5)) AND e.type <> 'TEST' AND ${eventMatches}
     ORDER BY place LIMIT $6
   ), sent AS (
     INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
       event_type, replay, next_attempt_at, customer_id, sequence)
     SELECT e.project_id, $7, 'whd_' || substr(md5(e.id || w.id || $7::timestamptz::text), 1, 16), w.id, e.id,
       e.created_at, e.type, true, ${spaced}, ${orderColumns}
     FROM chosen e JOIN webhook_integrations w ON w.project_id = $1 AND w.id = e.integration_id
     ON CONFLICT (project_id, created_at, id) DO NOTHING
     RETURNING created_at, id
   ), ${recorded}`,
);

/** A replay `r` with the status of its deliveries: one index lookup per delivery, in the index of its month. */
const shownAt = (now: string): string => `
  SELECT r.id, r.webhook_integration_id AS "webhookIntegrationId", r.events_from AS "eventsFrom",
    r.events_to AS "eventsTo", r.event_types AS "eventTypes", r.deliveries, r.queued,
    r.already_delivered AS "alreadyDelivered", r.requested_at AS "requestedAt", c.*
  FROM webhook_replays r CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.status = 'pending')::int AS pending,
      count(*) FILTER (WHERE d.status = 'delivered')::int AS delivered,
      count(*) FILTER (WHERE d.status = 'failed')::int AS failed,
      count(*) FILTER (WHERE d.status = 'waiting' AND d.wait_until > ${now}::timestamptz)::int AS waiting,
      count(*) FILTER (WHERE d.status = 'skipped' OR d.status = 'waiting' AND d.wait_until <= ${now})::int AS skipped,
      max(d.last_attempt_at + coalesce(d.response_ms, 0) * interval '1 millisecond') AS "lastAttemptEndedAt"
    FROM webhook_replay_deliveries l CROSS JOIN LATERAL (
      SELECT d.status, d.wait_until, d.last_attempt_at, d.response_ms FROM webhook_deliveries d
      WHERE d.project_id = $1 AND d.created_at = l.delivery_created_at AND d.id = l.delivery_id
      LIMIT 1) d
    WHERE l.project_id = $1 AND l.replay_id = r.id) c
  WHERE r.project_id = $1 AND r.webhook_integration_id = $2`;

export const find = statement('webhook_replays.find', `${shownAt('$4')} AND r.id = $3`);

/** Newest first, after a position ($3, $4; null: from the start). */
export const page = statement(
  'webhook_replays.page',
  `${shownAt('$6')} AND ($3::timestamptz IS NULL OR r.requested_at <= $3)
     AND ($3::timestamptz IS NULL OR r.requested_at < $3 OR r.id > $4)
   ORDER BY r.requested_at DESC, r.id LIMIT $5`,
);

/** Deletes at most $2 delivery keys of replays requested before $1. */
export const forgetDeliveries = longStatement(
  'webhook_replays.forget_deliveries',
  `WITH old AS MATERIALIZED (
     SELECT l.project_id, l.replay_id, l.delivery_created_at, l.delivery_id
     FROM webhook_replays r JOIN webhook_replay_deliveries l ON l.project_id = r.project_id AND l.replay_id = r.id
     WHERE r.requested_at < $1 LIMIT $2 FOR UPDATE OF l SKIP LOCKED
   ), gone AS (
     DELETE FROM webhook_replay_deliveries l USING old
     WHERE l.project_id = old.project_id AND l.replay_id = old.replay_id
       AND l.delivery_created_at = old.delivery_created_at AND l.delivery_id = old.delivery_id
     RETURNING 1
   )
   SELECT count(*)::int AS deleted FROM gone`,
);

/** Skips a replay whose delivery keys another process may still be deleting; the next run deletes it. */
export const forget = longStatement(
  'webhook_replays.forget',
  `DELETE FROM webhook_replays r WHERE r.requested_at < $1 AND NOT EXISTS (
     SELECT 1 FROM webhook_replay_deliveries l WHERE l.project_id = r.project_id AND l.replay_id = r.id)`,
);
