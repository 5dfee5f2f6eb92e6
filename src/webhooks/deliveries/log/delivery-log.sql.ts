import { statement } from '../../../platform/database/statement.js';

/** Columns of a delivery `d` in the log. While it is being sent, no further attempt is planned. */
const columns = (isHeld: string): string => `d.id, d.webhook_integration_id AS "webhookIntegrationId",
  d.created_at AS "createdAt", d.event_id AS "eventId", d.event_type AS "eventType", d.status, d.attempts, d.replay,
  CASE WHEN d.lease_until IS NULL THEN d.next_attempt_at END AS "nextAttemptAt", ${isHeld} AS "isHeld",
  d.lease_until AS "leaseUntil", d.response_status AS "responseStatus", d.response_ms AS "responseMs",
  d.last_error AS "lastError", d.reason, d.waits_for AS "waitsFor", d.wait_until AS "waitUntil",
  d.may_be_repeated AS "mayBeRepeated"`;

const shown = columns('coalesce(d.lease_until > statement_timestamp(), false)');

/** For a delivery that the statement has written without a lease. */
const written = columns('false');

/** A delivery whose wait has ended counts as skipped, even before a job records it. $11: current time. */
const hasStatus = `($3::text IS NULL
       OR d.status = $3 AND NOT (d.status = 'waiting' AND d.wait_until <= $11::timestamptz)
       OR $3 = 'skipped' AND d.status = 'waiting' AND d.wait_until <= $11)`;

/** What the delivery's event is about; null for an event that has expired. Needs `withEvent`. */
const about = `b.body ->> 'app_user_id' AS "appUserId", b.body ->> 'product_id' AS "productId",
  (b.body ->> 'price_in_purchased_currency')::float8 AS price, b.body ->> 'currency' AS currency`;

const withEvent =
  'LEFT JOIN events b ON b.project_id = $1 AND b.created_at = d.event_created_at AND b.id = d.event_id';

const ofIntegration = `d.project_id = $1 AND d.webhook_integration_id = $2`;

/**
 * Deliveries `d`, newest first. $3 status, $4 type, $5 and $6 the range of creation, $7 and $8 the cursor, $10 reason;
 * null: any.
 */
const pageOf = (
  deliveries: string,
  conditions: string,
): string => `SELECT ${shown}, ${about} FROM ${deliveries} ${withEvent}
   WHERE ${ofIntegration}${conditions} AND ${hasStatus} AND ($10::text IS NULL OR d.reason = $10)
     AND ($4::text IS NULL OR d.event_type = $4)
     AND ($5::timestamptz IS NULL OR d.created_at >= $5) AND ($6::timestamptz IS NULL OR d.created_at < $6)
     AND ($7::timestamptz IS NULL OR d.created_at <= $7)
     AND ($7::timestamptz IS NULL OR d.created_at < $7 OR d.id > $8)
   ORDER BY d.created_at DESC, d.id LIMIT $9`;

export const page = statement('webhook_log.page', pageOf('webhook_deliveries d', ''));

/** Deliveries `d` of the events `e`. The first has the event's time; only replays create more. */
const deliveriesOfEvents = `events e CROSS JOIN LATERAL (
       SELECT d.* FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.created_at = e.created_at AND d.event_id = e.id
       UNION ALL
       SELECT d.* FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.event_id = e.id AND d.replay AND d.created_at <> e.created_at) d`;

/** Deliveries of the event $12. */
export const pageOfEvent = statement(
  'webhook_log.page_of_event',
  pageOf(deliveriesOfEvents, ' AND e.project_id = $1 AND e.id = $12'),
);

/** Deliveries of the event $2 to all integrations, newest first, after the cursor ($3, $4; null: from the start). */
export const ofEvent = statement(
  'webhook_log.of_event',
  `SELECT ${shown}, i.type AS "integrationType", i.name AS "integrationName" FROM ${deliveriesOfEvents}
   JOIN webhook_integrations i ON i.project_id = $1 AND i.id = d.webhook_integration_id
   WHERE e.project_id = $1 AND e.id = $2
     AND ($3::timestamptz IS NULL OR d.created_at < $3 OR d.created_at = $3 AND d.id > $4)
   ORDER BY d.created_at DESC, d.id LIMIT $5`,
);

export const placeInEvent = statement(
  'webhook_log.place_in_event',
  `SELECT d.created_at AS "createdAt", d.id FROM ${deliveriesOfEvents}
   WHERE e.project_id = $1 AND e.id = $2 AND d.id = $3`,
);

/** Deliveries of the replay $13, for the event $12 (null: any). Looks up each by key, at most 10,000. */
export const pageOfReplay = statement(
  'webhook_log.page_of_replay',
  pageOf(
    `webhook_replay_deliveries l CROSS JOIN LATERAL (
       SELECT d.* FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.created_at = l.delivery_created_at AND d.id = l.delivery_id LIMIT 1) d`,
    ' AND l.project_id = $1 AND l.replay_id = $13 AND ($12::text IS NULL OR d.event_id = $12)',
  ),
);

export const find = statement(
  'webhook_log.find',
  `SELECT ${shown}, ${about} FROM webhook_deliveries d ${withEvent} WHERE ${ofIntegration} AND d.id = $3`,
);

export const lock = statement(
  'webhook_log.lock',
  `SELECT ${shown}, ${about} FROM webhook_deliveries d ${withEvent} WHERE ${ofIntegration} AND d.id = $3
   FOR UPDATE OF d`,
);

export const content = statement(
  'webhook_log.content',
  `SELECT e.body::text AS event, d.customer_info AS "customerInfo", e.id AS "eventId", e.created_at AS "recordedAt",
     e.occurred_at AS "occurredAt", e.customer_id AS "customerId", e.other_customer_id AS "otherCustomerId",
     e.subscription_id AS "subscriptionId"
   FROM webhook_deliveries d
   JOIN events e ON e.project_id = $1 AND e.created_at = d.event_created_at AND e.id = d.event_id
   WHERE ${ofIntegration} AND d.id = $3`,
);

export const attempts = statement(
  'webhook_log.attempts',
  `SELECT attempted_at AS "attemptedAt", step, url, response_status AS "responseStatus", response_ms AS "responseMs",
     error, response_body AS "responseBody", response_headers AS "responseHeaders"
   FROM webhook_attempts WHERE project_id = $1 AND delivery_id = $2 ORDER BY attempt DESC, attempted_at DESC LIMIT $3`,
);

/** Makes a delivery due at $4, whatever its status. What was skipped is judged again; what was delivered is sent again. */
export const sendAgain = statement(
  'webhook_log.send_again',
  `UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = $4, lease_until = NULL, reason = NULL,
     waits_for = NULL, wait_until = NULL,
     customer_info = CASE WHEN d.status <> 'skipped' THEN d.customer_info END,
     steps_done = CASE WHEN d.status <> 'delivered' THEN d.steps_done ELSE 0 END
   WHERE ${ofIntegration} AND d.id = $3 RETURNING ${written}`,
);

/** Whether another delivery than $3 brought its event to the integration. The first has the event's time. */
export const isDeliveredElsewhere = statement(
  'webhook_log.is_delivered_elsewhere',
  `SELECT EXISTS (
     SELECT 1 FROM webhook_deliveries d CROSS JOIN LATERAL (
       SELECT o.id, o.webhook_integration_id, o.status FROM webhook_deliveries o
       WHERE o.project_id = $1 AND o.created_at = d.event_created_at AND o.event_id = d.event_id
       UNION ALL
       SELECT o.id, o.webhook_integration_id, o.status FROM webhook_deliveries o
       WHERE o.project_id = $1 AND o.event_id = d.event_id AND o.replay) o
     WHERE ${ofIntegration} AND d.id = $3 AND o.webhook_integration_id = $2 AND o.id <> d.id
       AND o.status = 'delivered') AS "isDelivered"`,
);

/** $2: id, $3: current time, $4: app, $5: body. */
export const insertTestEvent = statement(
  'webhook_log.insert_test_event',
  `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, app_id, environment, delivery, body)
   VALUES ($1, $3, $2, $3, 'TEST', 'test:' || $2::text, $4, 'sandbox', 'send', $5)`,
);

/** $3: id, $4: id of the event, $5: current time. */
export const insertTest = statement(
  'webhook_log.insert_test',
  `INSERT INTO webhook_deliveries AS d (project_id, created_at, id, webhook_integration_id, event_id,
     event_created_at, event_type, next_attempt_at)
   VALUES ($1, $5, $3, $2, $4, $5, 'TEST', $5) RETURNING ${written}`,
);

/** Events recorded at $2 or later, oldest first, after a position ($3, $4; null: from the start). */
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
