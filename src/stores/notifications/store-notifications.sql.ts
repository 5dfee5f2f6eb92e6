import { epochMs } from '../../platform/database/epoch-ms.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { type AppQueue, appsWithWorkDue, leasedOf, renewalOf } from '../../platform/jobs/app-queues.sql.js';
import { oldestDueIn } from '../../platform/jobs/oldest-due.sql.js';

export const inbox: AppQueue<{ projectId: string; id: string; receivedAt: Date }> = {
  table: 'store_notifications',
  key: { project_id: 'projectId', id: 'id' },
  time: ['received_at', 'receivedAt'],
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

/**
 * Notifications of one project. A trigger drops duplicates (store_notification_keys); the order prevents deadlocks on
 * their keys.
 */
export const insert = statement(
  'store_notifications.insert',
  `INSERT INTO store_notifications (project_id, id, app_id, dedupe_key, kind, subkind, environment, subject, body,
     content_type, sent_at, received_at, state, due_at, was_missed, sealed_body)
   SELECT a.project_id, r.id, r.app_id, r.dedupe_key, r.kind, r.subkind, r.environment, r.subject, r.body,
     r.content_type, r.sent_at, r.received_at, 'received', r.due_at, r.was_missed, r.sealed_body
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::bytea[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
       $14::boolean[], $15::text[])
     AS r(id, app_id, dedupe_key, kind, subkind, environment, subject, body, content_type, sent_at, received_at,
       due_at, was_missed, sealed_body)
   WHERE a.project_id = $1 AND a.app_id = ''
   ORDER BY r.app_id, r.dedupe_key
   RETURNING id`,
);

/** Copies of saved notifications, to be sent from $4 on. */
export const insertCopies = statement(
  'store_notification_copies.insert',
  `INSERT INTO store_notification_copies (project_id, notification_id, app_id, due_at)
   SELECT a.project_id, c.id, c.app_id, c.due_at
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::timestamptz[]) AS c(id, app_id, due_at)
   WHERE a.project_id = $1 AND a.app_id = ''`,
);

/** A repeated rejection only updates its time, kind and reason. */
export const updateRejected = statement(
  'store_notifications.update_rejected',
  `UPDATE store_notifications n SET last_error_at = $4, last_error = $5, kind = $6 FROM store_notification_keys k
   WHERE k.project_id = $1 AND k.app_id = $2 AND k.dedupe_key = $3
     AND n.project_id = $1 AND n.id = k.id AND n.received_at = k.received_at
   RETURNING 1`,
);

/** Deletes the oldest rejections of an app. $3 of them remain. */
export const deleteOldRejected = statement(
  'store_notifications.delete_old_rejected',
  `DELETE FROM store_notifications n USING (
     SELECT id, received_at FROM store_notifications
     WHERE project_id = $1 AND app_id = $2 AND state = 'rejected' AND last_error_at IS NOT NULL
     ORDER BY last_error_at DESC OFFSET $3::int
   ) surplus
   WHERE n.project_id = $1 AND n.id = surplus.id AND n.received_at = surplus.received_at`,
);

export const insertRejected = statement(
  'store_notifications.insert_rejected',
  `INSERT INTO store_notifications (project_id, app_id, dedupe_key, received_at, state, last_error, last_error_at, kind,
     id)
   VALUES ($1, $2, $3, $4, 'rejected', $5, $4, $6, $7)`,
);

export const appsDue = acrossProjects('store_notifications.apps_due', appsWithWorkDue(inbox));

export const claim = statement(
  'store_notifications.claim',
  `${leasedOf(inbox)}
   SELECT l.project_id AS "projectId", l.id, l.app_id AS "appId", l.dedupe_key AS "dedupeKey", l.kind, l.subkind,
     l.environment, l.subject, l.body, l.sealed_body AS "sealedBody", l.received_at AS "receivedAt", l.attempts,
     l.lease_until AS "leaseUntil"
   FROM leased l`,
);

export const renew = statement('store_notifications.renew', renewalOf(inbox));

export const oldestDue = acrossProjects('jobs.oldest_due.notifications', oldestDueIn('store_notifications'));

/** Results of notifications of one project. Only the holder of a lease may write. */
export const finish = statement(
  'store_notifications.finish',
  `UPDATE store_notifications n SET state = r.state, attempts = r.attempts, due_at = r.due_at, lease_until = NULL,
     processed_at = CASE WHEN r.error IS NULL THEN r.at ELSE n.processed_at END,
     last_error = coalesce(r.error, n.last_error),
     last_error_at = CASE WHEN r.error IS NULL THEN n.last_error_at ELSE r.at END
   FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::int[], $7::timestamptz[], $8::text[],
       $9::timestamptz[]) AS r(id, received_at, lease_until, state, attempts, due_at, error, at)
   WHERE n.project_id = $1 AND n.id = r.id AND n.received_at = r.received_at AND n.lease_until = r.lease_until`,
);

/** $3: purchase keys that now have an owner. */
export const reactivate = statement(
  'store_notifications.reactivate',
  `UPDATE store_notifications SET state = 'received', due_at = $4
   WHERE project_id = $1 AND app_id = $2 AND state = 'ignored_unknown_purchase' AND subject = ANY($3::text[])
   RETURNING id`,
);

/** The purchase may be known while its notification stays unverified, so the number of attempts is limited. */
const MAX_ATTEMPTS = 5;

/** For a purchase that got its owner while its notification was being excluded. */
export const reactivateIfKnown = statement(
  'store_notifications.reactivate_if_known',
  `UPDATE store_notifications n SET state = 'received', due_at = $3 FROM apps a
   WHERE n.project_id = $1 AND n.id = $2 AND n.received_at = $4 AND n.state = 'ignored_unknown_purchase' AND n.attempts < ${MAX_ATTEMPTS}
     AND a.project_id = $1 AND a.id = n.app_id
     AND (EXISTS (SELECT 1 FROM subscriptions s WHERE s.project_id = $1 AND s.store = a.type
            AND s.environment = ANY (CASE WHEN n.environment IS NULL THEN ARRAY['production', 'sandbox'] ELSE ARRAY[n.environment] END)
            AND s.store_key = n.subject)
       OR EXISTS (SELECT 1 FROM one_time_purchases s WHERE s.project_id = $1 AND s.store = a.type
            AND s.environment = ANY (CASE WHEN n.environment IS NULL THEN ARRAY['production', 'sandbox'] ELSE ARRAY[n.environment] END)
            AND s.purchase_key = n.subject))
   RETURNING n.id`,
);

/** Everything that failed at $3 or later and is not in progress, including notifications that ran out of retries. */
export const retry = statement(
  'store_notifications.retry',
  `UPDATE store_notifications SET state = 'retrying', attempts = 0, due_at = $4
   WHERE project_id = $1 AND app_id = $2 AND last_error_at >= $3 AND state IN ('retrying', 'failed')
     AND lease_until IS NULL`,
);

/** Notification status of each app, including apps that never received one. */
export const health = statement(
  'store_notifications.health',
  `SELECT a.id AS "appId", last.received_at AS "receivedAt", last.sent_at AS "sentAt", last.state,
     error.last_error_at AS "errorAt", error.last_error AS error, error.state AS "errorState",
     error.kind AS "errorKind",
     copy.attempted_at AS "copiedAt", copy.status AS "copyStatus"
   FROM apps a
   LEFT JOIN LATERAL (
     SELECT n.received_at, n.sent_at, n.state FROM store_notifications n
     WHERE n.project_id = $1 AND n.app_id = a.id AND n.state <> 'rejected'
     ORDER BY n.received_at DESC LIMIT 1) last ON true
   LEFT JOIN LATERAL (
     SELECT n.last_error_at, n.last_error, n.state, n.kind FROM store_notifications n
     WHERE n.project_id = $1 AND n.app_id = a.id AND n.last_error_at IS NOT NULL
     ORDER BY n.last_error_at DESC LIMIT 1) error ON true
   LEFT JOIN LATERAL (
     SELECT c.attempted_at, c.status FROM store_notification_copies c
     WHERE c.project_id = $1 AND c.app_id = a.id AND c.attempted_at IS NOT NULL
     ORDER BY c.attempted_at DESC LIMIT 1) copy ON true
   WHERE a.project_id = $1`,
);

const MAX_ARRIVALS = 50;

/** Genuine notifications that the store delivered. Those without an environment may concern production. */
export const arrivals = statement(
  'notification_silence.arrivals',
  `SELECT ${epochMs('n.received_at')} AS "atMs" FROM store_notifications n
   WHERE n.project_id = $1 AND n.app_id = $2 AND n.received_at >= $3 AND n.state <> 'rejected' AND NOT n.was_missed
     AND (n.environment IS NULL OR n.environment = 'production')
   ORDER BY n.received_at DESC LIMIT ${MAX_ARRIVALS}`,
);
