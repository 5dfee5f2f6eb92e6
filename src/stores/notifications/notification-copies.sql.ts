import { acrossProjects, statement } from '../../platform/database/statement.js';
import { type AppQueue, appsWithWorkDue, leasedOf, renewalOf } from '../../platform/jobs/app-queues.sql.js';
import { oldestDueIn } from '../../platform/jobs/oldest-due.sql.js';

/**
 * Copies for the developer's own URL. They have their own table: the inbox worker locks the notification's row at the
 * same time, and with SKIP LOCKED each worker would skip the other's rows.
 */
export const copies: AppQueue<{ projectId: string; notificationId: string }> = {
  table: 'store_notification_copies',
  key: { project_id: 'projectId', notification_id: 'notificationId' },
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

export const appsDue = acrossProjects('store_notification_copies.apps_due', appsWithWorkDue(copies));

export const claim = statement(
  'store_notification_copies.claim',
  `${leasedOf(copies)}
   SELECT l.project_id AS "projectId", l.notification_id AS "notificationId", l.app_id AS "appId", n.body,
     n.sealed_body AS "sealedBody",
     n.content_type AS "contentType", l.attempts, a.store_settings ->> 'notification_forward_url' AS url,
     l.lease_until AS "leaseUntil"
   FROM leased l JOIN store_notifications n ON n.project_id = $1 AND n.id = l.notification_id
   JOIN apps a ON a.project_id = $1 AND a.id = l.app_id`,
);

export const renew = statement('store_notification_copies.renew', renewalOf(copies));

export const oldestDue = acrossProjects('jobs.oldest_due.copies', oldestDueIn('store_notification_copies'));

/** Only the holder of the lease ($3) may write. */
export const finish = statement(
  'store_notification_copies.finish',
  `UPDATE store_notification_copies SET attempts = $4, due_at = $5, lease_until = NULL, status = $6, error = $7,
     attempted_at = $8
   WHERE project_id = $1 AND notification_id = $2 AND lease_until = $3`,
);
