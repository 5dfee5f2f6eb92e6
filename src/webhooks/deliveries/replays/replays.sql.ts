import { longStatement, statement } from '../../../platform/database/statement.js';
import { deletionOf } from '../../../platform/jobs/batches.js';

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

/** Deletes a batch of the delivery keys of replays requested before $1. */
export const forgetDeliveries = deletionOf('webhook_replays.forget_deliveries', {
  table: 'webhook_replay_deliveries',
  key: ['project_id', 'replay_id', 'delivery_created_at', 'delivery_id'],
  isOld: (row) => `EXISTS (SELECT 1 FROM webhook_replays r
    WHERE r.project_id = ${row}.project_id AND r.id = ${row}.replay_id AND r.requested_at < $1)`,
});

/** Skips a replay whose delivery keys another process may still be deleting; the next run deletes it. */
export const forget = longStatement(
  'webhook_replays.forget',
  `DELETE FROM webhook_replays r WHERE r.requested_at < $1 AND NOT EXISTS (
     SELECT 1 FROM webhook_replay_deliveries l WHERE l.project_id = r.project_id AND l.replay_id = r.id)`,
);
