import { statement } from '../../../platform/database/statement.js';
import { eventMatches, orderColumns } from '../delivery-matching.sql.js';

/** The deliveries of the event `e` to the integration $2. The first has the event's time; only replays create more. */
const deliveriesOfEvent = (eventId: string, createdAt: string): string => `
  SELECT d.status, d.wait_until FROM webhook_deliveries d
  WHERE d.project_id = $1 AND d.created_at = ${createdAt} AND d.event_id = ${eventId}
    AND d.webhook_integration_id = $2
  UNION ALL
  SELECT d.status, d.wait_until FROM webhook_deliveries d
  WHERE d.project_id = $1 AND d.event_id = ${eventId} AND d.replay AND d.webhook_integration_id = $2`;

/** Whether an event was delivered, and whether a delivery of it is still open at $6. */
const stateOf = (eventId: string, createdAt: string): string => `
  SELECT coalesce(bool_or(o.status = 'delivered'), false) AS is_delivered,
    coalesce(bool_or(o.status = 'pending' OR o.status = 'waiting' AND o.wait_until > $6::timestamptz), false) AS is_open
  FROM (${deliveriesOfEvent(eventId, createdAt)}) o`;

/**
 * The newest failed or skipped delivery of each event recorded from $3 until before $4, of the types $5 (empty: all), in
 * the order of the events; at most $7.
 */
export const unsentDeliveries = statement(
  'webhook_replays.unsent_deliveries',
  `SELECT u.id, u.created_at AS "createdAt", s.is_delivered AS "isDelivered", s.is_open AS "isOpen"
   FROM (
     SELECT DISTINCT ON (d.event_created_at, d.event_id) d.id, d.created_at, d.event_id, d.event_created_at
     FROM webhook_deliveries d
     WHERE d.project_id = $1 AND d.webhook_integration_id = $2 AND d.created_at >= $3
       AND (d.status IN ('failed', 'skipped') OR d.status = 'waiting' AND d.wait_until <= $6)
       AND d.event_created_at >= $3 AND d.event_created_at < $4 AND d.event_type NOT IN ('TEST', 'DIGEST')
       AND (cardinality($5::text[]) = 0 OR d.event_type = ANY ($5))
     ORDER BY d.event_created_at, d.event_id, d.created_at DESC LIMIT $7) u
   CROSS JOIN LATERAL (${stateOf('u.event_id', 'u.event_created_at')}) s
   ORDER BY u.event_created_at, u.event_id`,
);

/** The events from $3 until before $4, of the types $5 (empty: all), that match the integration's filters. */
const eventsOfRange = `FROM webhook_integrations w JOIN events e ON e.project_id = $1
   WHERE w.project_id = $1 AND w.id = $2 AND e.created_at >= $3 AND e.created_at < $4
     AND (cardinality($5::text[]) = 0 OR e.type = ANY ($5)) AND e.type <> 'TEST' AND ${eventMatches}`;

/** The same for all events that match the integration's filters, whether or not they have a delivery. */
export const matchingEvents = statement(
  'webhook_replays.matching_events',
  `SELECT u.id, u.created_at AS "createdAt", s.is_delivered AS "isDelivered", s.is_open AS "isOpen"
   FROM (
     SELECT e.id, e.created_at ${eventsOfRange}
     ORDER BY e.created_at, e.id LIMIT $7) u
   CROSS JOIN LATERAL (${stateOf('u.id', 'u.created_at')}) s
   ORDER BY u.created_at, u.id`,
);

/**
 * Failed deliveries of events recorded from $3 until before $4, of the types $5 (empty: all), in the order of the
 * events; at most $6.
 */
export const failedDeliveries = statement(
  'webhook_replays.failed_deliveries',
  `SELECT d.id, d.created_at AS "createdAt" FROM webhook_deliveries d
   WHERE d.project_id = $1 AND d.webhook_integration_id = $2 AND d.status = 'failed'
     AND d.event_created_at >= $3 AND d.event_created_at < $4
     AND (cardinality($5::text[]) = 0 OR d.event_type = ANY ($5))
   ORDER BY d.event_created_at, d.event_id LIMIT $6`,
);

/** The same for all events that match the integration's filters, whether or not they were sent before. */
export const allEvents = statement(
  'webhook_replays.all_events',
  `SELECT e.id, e.created_at AS "createdAt" ${eventsOfRange} ORDER BY e.created_at, e.id LIMIT $6`,
);

/** The deliveries $3, $4 (ids and times) with the times $5 of their next attempts. */
const chosen = `unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS c (id, created_at, at)`;

/** Makes failed and skipped deliveries due. Those that were skipped are judged again. */
export const sendDeliveries = statement(
  'webhook_replays.send_deliveries',
  `UPDATE webhook_deliveries d SET status = 'pending', reason = NULL, waits_for = NULL, wait_until = NULL, replay = true,
     next_attempt_at = c.at, customer_info = CASE WHEN d.status = 'failed' THEN d.customer_info END
   FROM ${chosen}
   WHERE d.project_id = $1 AND d.webhook_integration_id = $2 AND d.created_at = c.created_at AND d.id = c.id
     AND d.status IN ('failed', 'skipped', 'waiting')
   RETURNING d.id, d.created_at AS "createdAt"`,
);

/** Creates deliveries of events at $6 ($7: the same as text). */
export const sendEvents = statement(
  'webhook_replays.send_events',
  `INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
     event_type, replay, next_attempt_at, customer_id, sequence)
   SELECT e.project_id, $6, 'whd_' || substr(md5(e.id || w.id || $7::text), 1, 16), w.id, e.id, e.created_at, e.type,
     true, c.at, ${orderColumns}
   FROM ${chosen}
   JOIN events e ON e.project_id = $1 AND e.created_at = c.created_at AND e.id = c.id
   JOIN webhook_integrations w ON w.project_id = $1 AND w.id = $2
   ON CONFLICT (project_id, created_at, id) DO NOTHING
   RETURNING id, created_at AS "createdAt"`,
);

export const insertReplay = statement(
  'webhook_replays.insert',
  `INSERT INTO webhook_replays (project_id, webhook_integration_id, id, events_from, events_to, event_types, deliveries,
     queued, already_delivered, requested_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** $3 and $4: times and ids of the deliveries. */
export const insertReplayDeliveries = statement(
  'webhook_replays.insert_deliveries',
  `INSERT INTO webhook_replay_deliveries (project_id, replay_id, delivery_created_at, delivery_id)
   SELECT r.project_id, r.id, d.created_at, d.id
   FROM webhook_replays r CROSS JOIN unnest($3::timestamptz[], $4::text[]) AS d (created_at, id)
   WHERE r.project_id = $1 AND r.id = $2`,
);
