import { isHere } from '../../platform/data-location/is-here.sql.js';
import { hideFromPlanner } from '../../platform/database/hide-from-planner.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { isFree, leaseEnd } from '../../platform/jobs/leases.sql.js';

/** Maximum number of deliveries that one page of a poll reads. */
export const DELIVERIES_PER_PAGE = 100;

/** True if a delivery `d` does not have to wait for an earlier event of its customer (ordered integrations). */
const inTurn = (project: string): string => `(d.customer_id IS NULL OR NOT EXISTS (
  SELECT 1 FROM webhook_deliveries earlier
  WHERE earlier.project_id = ${project} AND earlier.customer_id = d.customer_id
    AND earlier.webhook_integration_id = d.webhook_integration_id AND earlier.status = 'pending'
    AND earlier.sequence < d.sequence))`;

/** True if an integration `w` of one of the types $3 with the circuit `c` may receive deliveries at $2. */
const mayReceive = `w.enabled AND w.type = ANY ($3::text[])
       AND (c.opened_at IS NULL OR c.probe_at <= $2 AND ${isFree('c.probe_lease_until')})
       AND (c.not_before IS NULL OR c.not_before <= $2)`;

/**
 * Integrations with open deliveries after $1, $4 (project and integration), in this order: those of one page of the
 * queues. The next page starts after the last one, however long its queue is. A queue that fills a page counts as due
 * even if all deliveries on the page are held or blocked.
 */
export const poll = acrossProjects(
  'webhook_deliveries.poll',
  `SELECT page.project_id AS "projectId", page.webhook_integration_id AS key, count(*)::int AS size,
     bool_or(page.is_ready) OR count(*) = ${DELIVERIES_PER_PAGE} AND bool_or(page.is_due) AS "isDue",
     bool_or(page.is_orphan) AS "isOrphan"
   FROM (
     SELECT d.project_id, d.webhook_integration_id, w.id IS NULL AS is_orphan,
       ${mayReceive} AND d.next_attempt_at <= $2 AS is_due,
       ${mayReceive} AND d.next_attempt_at <= $2 AND ${isFree('d.lease_until')} AND ${inTurn('d.project_id')} AS is_ready
     FROM webhook_deliveries d
     LEFT JOIN webhook_integrations w
       ON w.project_id >= $1 AND w.project_id = d.project_id AND w.id = d.webhook_integration_id
     LEFT JOIN webhook_circuits c
       ON c.project_id >= $1 AND c.project_id = d.project_id AND c.webhook_integration_id = d.webhook_integration_id
     WHERE d.status = 'pending' AND (d.project_id, d.webhook_integration_id) > ($1, $4) AND ${isHere('d.project_id')}
     ORDER BY d.project_id, d.webhook_integration_id, d.next_attempt_at LIMIT ${DELIVERIES_PER_PAGE}) page
   GROUP BY page.project_id, page.webhook_integration_id
   ORDER BY page.project_id, page.webhook_integration_id`,
);

/** True if a process holds a delivery of the integration `w`. A held delivery is due again when its lease ends. */
const isBusy = `EXISTS (
         SELECT 1 FROM webhook_deliveries held
         WHERE held.project_id = $1 AND held.webhook_integration_id = w.id AND held.status = 'pending'
           AND held.next_attempt_at BETWEEN $2 AND $4::timestamptz + interval '1 minute'
           AND held.lease_until > statement_timestamp())`;

/**
 * Commits the statement's transaction without waiting for the disk. Only for data that may be lost: if the database
 * crashes, deliveries without their lease are simply due again. This lets first attempts start earlier.
 */
const withoutFlush = `without_flush AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/**
 * Leases deliveries of the project $1 that are due at $2 and that no process holds: at most $5, oldest first, and for
 * each integration as many as it has free slots ($6 and $7: integrations with running attempts and their free slots;
 * $8: slots of the others). Servers of other versions send to the types that are not in $3. Integrations of the types
 * $9 receive one delivery at a time, from whichever process. Deliveries of a paused integration wait, and so do those
 * of an endpoint that asked for a pause. If an integration's circuit is open, one delivery is leased as a probe once
 * the probe is due. When the lease expires, the delivery is due again at $4; the endpoint may have received it by then.
 * The plan does not depend on $2, so one cached plan serves all.
 */
export const claim = statement(
  'webhook_deliveries.claim',
  `WITH ${withoutFlush}, due AS MATERIALIZED (
     SELECT head.*, c.opened_at IS NOT NULL AS is_probe
     FROM without_flush CROSS JOIN webhook_integrations w
     LEFT JOIN webhook_circuits c ON c.project_id = $1 AND c.webhook_integration_id = w.id
     LEFT JOIN unnest($6::text[], $7::int[]) AS f (webhook_integration_id, places) ON f.webhook_integration_id = w.id
     CROSS JOIN LATERAL (
       SELECT d.created_at, d.id, d.next_attempt_at FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.webhook_integration_id = w.id AND d.status = 'pending'
         AND d.next_attempt_at <= ${hideFromPlanner('$2::timestamptz')} AND ${isFree('d.lease_until')} AND ${inTurn('$1')}
       ORDER BY d.next_attempt_at
       LIMIT least(coalesce(f.places, $8::int), CASE WHEN c.opened_at IS NOT NULL OR w.type = ANY ($9::text[]) THEN 1 END)) head
     WHERE w.project_id = $1 AND ${mayReceive} AND (w.type <> ALL ($9::text[]) OR NOT ${isBusy}) AND ${isHere('$1')}
     ORDER BY head.next_attempt_at LIMIT $5::int
   ), taken AS (
     SELECT d.webhook_integration_id, d.created_at, d.id, due.is_probe FROM due
     JOIN webhook_deliveries d ON d.project_id = $1 AND d.created_at = due.created_at AND d.id = due.id
     WHERE d.status = 'pending' AND d.next_attempt_at <= $2 AND ${isFree('d.lease_until')}
     FOR UPDATE OF d SKIP LOCKED
   ), probing AS (
     UPDATE webhook_circuits c SET probe_at = $4, probe_lease_until = ${leaseEnd('$2', '$4')} FROM taken t
     WHERE t.is_probe AND c.project_id = $1 AND c.webhook_integration_id = t.webhook_integration_id
       AND c.probe_at <= $2 AND ${isFree('c.probe_lease_until')}
     RETURNING c.webhook_integration_id
   ), leased AS (
     UPDATE webhook_deliveries d SET next_attempt_at = $4, lease_until = ${leaseEnd('$2', '$4')},
       may_be_repeated = d.may_be_repeated OR d.lease_until IS NOT NULL
     FROM taken t
     WHERE d.project_id = $1 AND d.created_at = t.created_at AND d.id = t.id
       AND (NOT t.is_probe OR t.webhook_integration_id IN (SELECT * FROM probing))
     RETURNING d.*, t.is_probe
   )
   SELECT l.project_id AS "projectId", l.id, l.created_at AS "createdAt",
     l.webhook_integration_id AS "webhookIntegrationId", l.lease_until AS "leaseUntil", l.attempts, l.replay, l.is_probe AS "isProbe",
     l.sequence IS NOT NULL AS "isOrdered", coalesce(c.failures, 0) AS "endpointFailures",
     coalesce(c.limited, 0) AS "endpointLimited", l.steps_done AS "stepsDone", w.type, w.name, w.settings,
     w.sealed_settings AS "sealedSettings", w.event_names AS "eventNames", w.revenue, w.attributes,
     w.send_from AS "sendFrom", w.url, w.sealed_signing_secret AS "sealedSigningSecret",
     CASE WHEN w.previous_signing_secret_until > $2 THEN w.sealed_previous_signing_secret END
       AS "sealedPreviousSigningSecret",
     w.sealed_authorization_header AS "sealedAuthorizationHeader",
     w.include_customer_info AS "includeCustomerInfo", l.customer_info AS "customerInfo",
     e.customer_id AS "customerId", e.other_customer_id AS "otherCustomerId", e.subscription_id AS "subscriptionId",
     e.id AS "eventId", e.created_at AS "recordedAt", e.occurred_at AS "occurredAt", e.body::text AS event
   FROM leased l
   JOIN webhook_integrations w ON w.project_id = $1 AND w.id = l.webhook_integration_id
   JOIN events e ON e.project_id = $1 AND e.created_at = l.event_created_at AND e.id = l.event_id
   LEFT JOIN webhook_circuits c ON c.project_id = $1 AND c.webhook_integration_id = l.webhook_integration_id`,
);

/** Extends leases of a project from now ($5) until $6. $2 to $4: arrays of keys and of the known lease ends. */
export const renew = statement(
  'webhook_deliveries.renew',
  `UPDATE webhook_deliveries d SET next_attempt_at = $6, lease_until = ${leaseEnd('$5', '$6')}
   FROM unnest($2::timestamptz[], $3::text[], $4::timestamptz[]) AS held (created_at, id, lease_until)
   WHERE d.project_id = $1 AND d.created_at = held.created_at AND d.id = held.id
     AND d.status = 'pending' AND d.lease_until = held.lease_until
   RETURNING d.lease_until AS "leaseUntil"`,
);

/**
 * Logs attempts of a project's deliveries before `finish` ends their leases. $2 to $13: arrays with one item per
 * attempt. The lock keeps the leases ($4) until then; after a lost lease, another process's attempt counts.
 */
export const log = statement(
  'webhook_attempts.log',
  `INSERT INTO webhook_attempts (project_id, attempted_at, delivery_id, attempt, step, url, response_status, response_ms,
     error, response_body, response_headers)
   SELECT d.project_id, made.attempted_at, d.id, made.attempt, made.step, made.url, made.response_status,
     made.response_ms, made.error, made.response_body, made.response_headers
   FROM unnest($2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::smallint[],
       $8::text[], $9::int[], $10::int[], $11::text[], $12::text[], $13::json[])
     AS made (created_at, id, lease_until, attempted_at, attempt, step, url, response_status, response_ms, error,
       response_body, response_headers)
   JOIN webhook_deliveries d ON d.project_id = $1 AND d.created_at = made.created_at AND d.id = made.id
   WHERE d.status = 'pending' AND d.lease_until = made.lease_until
   FOR UPDATE OF d`,
);

/**
 * Records attempts of a project's deliveries. $2 to $15: arrays with one item per attempt. Only the holder of a lease
 * ($4) writes. A delivered event resets its endpoint's failure count, unless the endpoint asked for a pause meanwhile.
 * Open circuits are closed by the code that writes the audit log.
 */
export const finish = statement(
  'webhook_deliveries.finish',
  `WITH made AS (
     SELECT * FROM unnest($2::timestamptz[], $3::text[], $4::timestamptz[], $5::text[], $6::int[], $7::timestamptz[],
       $8::int[], $9::int[], $10::text[], $11::timestamptz[], $12::boolean[], $13::text[], $14::smallint[],
       $15::boolean[])
       AS made (created_at, id, lease_until, status, attempts, next_attempt_at, response_status, response_ms, error,
         attempted_at, was_sent, reason, steps_done, may_be_repeated)
   ), done AS (
     UPDATE webhook_deliveries d SET status = made.status, attempts = made.attempts,
       next_attempt_at = made.next_attempt_at, lease_until = NULL, response_status = made.response_status,
       response_ms = made.response_ms, last_error = made.error,
       last_attempt_at = CASE WHEN made.was_sent THEN made.attempted_at ELSE d.last_attempt_at END,
       reason = made.reason, steps_done = greatest(d.steps_done, made.steps_done),
       may_be_repeated = d.may_be_repeated OR made.may_be_repeated
     FROM made
     WHERE d.project_id = $1 AND d.created_at = made.created_at AND d.id = made.id
       AND d.status = 'pending' AND d.lease_until = made.lease_until
     RETURNING d.webhook_integration_id, d.id, d.status, made.attempted_at
   ), recovered AS (
     DELETE FROM webhook_circuits c USING done
     WHERE c.project_id = $1 AND c.webhook_integration_id = done.webhook_integration_id
       AND done.status = 'delivered' AND c.opened_at IS NULL
       AND (c.not_before IS NULL OR c.not_before <= done.attempted_at)
   )
   SELECT done.id, c.opened_at IS NOT NULL AS "isOpen" FROM done
   LEFT JOIN webhook_circuits c ON c.project_id = $1 AND c.webhook_integration_id = done.webhook_integration_id`,
);

/** Stores the customer info of the first attempt, so that every attempt sends the same bytes. */
export const freezeCustomerInfo = statement(
  'webhook_deliveries.freeze_customer_info',
  `UPDATE webhook_deliveries SET customer_info = coalesce(customer_info, $4)
   WHERE project_id = $1 AND created_at = $2 AND id = $3 RETURNING customer_info AS "customerInfo"`,
);

export const dropOpen = statement(
  'webhook_deliveries.drop_open',
  `DELETE FROM webhook_deliveries WHERE project_id = $1 AND webhook_integration_id = $2
     AND status IN ('pending', 'waiting')`,
);

/** Makes deliveries due at $3 that the endpoint refused because of its credentials, except those being sent. */
export const sendRefused = statement(
  'webhook_deliveries.send_refused',
  `UPDATE webhook_deliveries SET next_attempt_at = $3, reason = NULL
   WHERE project_id = $1 AND webhook_integration_id = $2 AND status = 'pending' AND reason = 'refused_key'
     AND lease_until IS NULL`,
);

/** Only of webhooks. Ignores deliveries that must wait: paused integrations, open circuits, later events of an ordered customer. */
export const oldestDue = acrossProjects(
  'webhook_deliveries.oldest_due',
  `SELECT min(head.next_attempt_at) AS "dueAt", count(*)::int AS "queuesRead" FROM webhook_integrations w
   LEFT JOIN webhook_circuits c ON c.project_id = w.project_id AND c.webhook_integration_id = w.id
   LEFT JOIN LATERAL (
     SELECT d.next_attempt_at FROM webhook_deliveries d
     WHERE d.project_id = w.project_id AND d.webhook_integration_id = w.id AND d.status = 'pending' AND ${inTurn('w.project_id')}
     ORDER BY d.next_attempt_at LIMIT 1) head ON true
   WHERE w.type = 'webhook' AND w.enabled AND c.opened_at IS NULL AND ${isHere('w.project_id')}`,
);
