import { statement } from '../../platform/database/statement.js';
import { eventMatches, orderColumns } from './delivery-matching.sql.js';

/** A delivery `d` as people see it. While it is sent, nothing else is planned. */
const shown = `d.id, d.webhook_integration_id AS "webhookIntegrationId", d.created_at AS "createdAt",
  d.event_id AS "eventId", d.event_type AS "eventType", d.status, d.attempts, d.replay,
  CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at END AS "nextAttemptAt", coalesce(d.lease_until > statement_timestamp(), false) AS "isHeld", d.lease_until AS "leaseUntil",
  d.response_status AS "responseStatus", d.response_ms AS "responseMs", d.last_error AS "lastError"`;

const ofIntegration = `d.project_id = $1 AND d.webhook_integration_id = $2`;

/** Newest first. $3 status, $4 type, $5 and $6 the range of creation, $7 and $8 the cursor; null: any. */
export const page = statement(
  'webhook_log.page',
  `SELECT ${shown} FROM webhook_deliveries d
   WHERE ${ofIntegration} AND ($3::text IS NULL OR d.status = $3) AND ($4::text IS NULL OR d.event_type = $4)
     AND ($5::timestamptz IS NULL OR d.created_at >= $5) AND ($6::timestamptz IS NULL OR d.created_at < $6)
     AND ($7::timestamptz IS NULL OR d.created_at <= $7)
     AND ($7::timestamptz IS NULL OR d.created_at < $7 OR d.id > $8)
   ORDER BY d.created_at DESC, d.id LIMIT $9`,
);

export const find = statement(
  'webhook_log.find',
  `SELECT ${shown} FROM webhook_deliveries d WHERE ${ofIntegration} AND d.id = $3`,
);

export const lock = statement(
  'webhook_log.lock',
  `SELECT ${shown} FROM webhook_deliveries d WHERE ${ofIntegration} AND d.id = $3 FOR UPDATE`,
);

export const content = statement(
  'webhook_log.content',
  `SELECT e.body::text AS event, d.customer_info AS "customerInfo"
   FROM webhook_deliveries d
   JOIN events e ON e.project_id = d.project_id AND e.created_at = d.event_created_at AND e.id = d.event_id
   WHERE ${ofIntegration} AND d.id = $3`,
);

export const attempts = statement(
  'webhook_log.attempts',
  `SELECT attempted_at AS "attemptedAt", url, response_status AS "responseStatus", response_ms AS "responseMs",
     error, response_body AS "responseBody", response_headers AS "responseHeaders"
   FROM webhook_attempts WHERE project_id = $1 AND delivery_id = $2 ORDER BY attempt DESC LIMIT $3`,
);

/** Makes a delivery due at $4, whatever became of it before. */
export const sendAgain = statement(
  'webhook_log.send_again',
  `UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = $4, lease_until = NULL
   WHERE ${ofIntegration} AND d.id = $3 RETURNING ${shown}`,
);

/** $3 the id of a delivery, $4 that of the event, $5 now, $6 the app, $7 the body. */
export const insertTest = statement(
  'webhook_log.insert_test',
  `WITH e AS (
     INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, app_id, environment, delivery, body)
     VALUES ($1, $5, $4, $5, 'TEST', 'test:' || $4::text, $6, 'sandbox', 'send', $7)
     RETURNING *
   )
   INSERT INTO webhook_deliveries AS d (project_id, created_at, id, webhook_integration_id, event_id,
     event_created_at, event_type, next_attempt_at)
   SELECT e.project_id, e.created_at, $3::text, $2::text, e.id, e.created_at, e.type, e.created_at FROM e
   RETURNING ${shown}`,
);

/** One after the other, $8 a second from $7 on. */
const spaced = `$7::timestamptz + floor(place * 1000.0 / $8::int) * interval '1 millisecond'`;

/** Failed deliveries of events recorded from $3 to $4, of the types $5 (none: all), $6 at most, in the order of the events. */
export const replayFailed = statement(
  'webhook_log.replay_failed',
  `WITH chosen AS (
     SELECT d.project_id, d.created_at, d.id,
       row_number() OVER (ORDER BY d.event_created_at, d.event_id) - 1 AS place
     FROM webhook_deliveries d
     WHERE ${ofIntegration} AND d.status = 'failed' AND d.event_created_at >= $3 AND d.event_created_at < $4
       AND (cardinality($5::text[]) = 0 OR d.event_type = ANY ($5))
     ORDER BY place LIMIT $6
   )
   UPDATE webhook_deliveries d SET status = 'pending', replay = true, next_attempt_at = ${spaced}
   FROM chosen c WHERE d.project_id = c.project_id AND d.created_at = c.created_at AND d.id = c.id
     AND d.status = 'failed'
   RETURNING d.id`,
);

/** As new deliveries: all events that the integration's filters let through, sent before or not. */
export const replayAll = statement(
  'webhook_log.replay_all',
  `WITH chosen AS (
     SELECT e.*, row_number() OVER (ORDER BY e.created_at, e.id) - 1 AS place, w.id AS integration_id
     FROM webhook_integrations w JOIN events e ON e.project_id = w.project_id
     WHERE w.project_id = $1 AND w.id = $2 AND e.created_at >= $3 AND e.created_at < $4
       AND (cardinality($5::text[]) = 0 OR e.type = ANY ($5)) AND e.type <> 'TEST' AND ${eventMatches}
     ORDER BY place LIMIT $6
   )
   INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
     event_type, replay, next_attempt_at, customer_id, sequence)
   SELECT e.project_id, $7, 'whd_' || substr(md5(e.id || w.id || $7::timestamptz::text), 1, 16), w.id, e.id, e.created_at,
     e.type, true, ${spaced}, ${orderColumns}
   FROM chosen e JOIN webhook_integrations w ON w.project_id = e.project_id AND w.id = e.integration_id
   ON CONFLICT (project_id, created_at, id) DO NOTHING
   RETURNING id`,
);

/** Events recorded from $2 on, oldest first, behind a place ($3, $4; null: from the start). */
export const recentEvents = statement(
  'webhook_log.recent_events',
  `SELECT e.id, e.type, e.created_at AS "createdAt", e.body::text AS event FROM events e
   WHERE e.project_id = $1 AND e.created_at >= $2 AND e.delivery = 'send'
     AND ($3::timestamptz IS NULL OR (e.created_at, e.id) > ($3, $4::text))
   ORDER BY e.created_at, e.id LIMIT $5`,
);

export const recentEvent = statement(
  'webhook_log.recent_event',
  `SELECT created_at AS "createdAt", id FROM events WHERE project_id = $1 AND created_at >= $2 AND id = $3`,
);
