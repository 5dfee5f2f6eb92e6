import type { MigrationInterface, QueryRunner } from 'typeorm';
import { endAutovacuum } from '../giving-way.js';
import { createTriggers, dropTriggers } from '../keys-apart.js';
import { partitionByMonth } from '../monthly-partitions.js';
import { notificationKeys } from './store-notifications/notification-keys.js';

/**
 * The version before names the constraint `store_notifications_once` where it inserts, so there has to be one; what it
 * is meant for, the trigger has left out before. A later migration renames the primary key.
 */
const keys = `
  ALTER TABLE store_notifications ADD CONSTRAINT store_notifications_once PRIMARY KEY (project_id, id, received_at);
  ALTER TABLE store_notifications
    ADD FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE;
  CREATE INDEX store_notifications_queue ON store_notifications (project_id, app_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX store_notifications_forward_queue ON store_notifications (project_id, app_id, forward_due_at)
    WHERE forward_due_at IS NOT NULL;
  CREATE INDEX store_notifications_by_time ON store_notifications (project_id, app_id, received_at DESC);
  CREATE INDEX store_notifications_errors ON store_notifications (project_id, app_id, last_error_at DESC)
    WHERE last_error_at IS NOT NULL;
  CREATE INDEX store_notifications_forwarded ON store_notifications (project_id, app_id, forwarded_at DESC)
    WHERE forwarded_at IS NOT NULL;
  CREATE INDEX store_notifications_unknown ON store_notifications (project_id, app_id, subject)
    WHERE state = 'ignored_unknown_purchase';`;

/** The inbox of store notifications by month. */
export class NotificationPartitions1764500000211 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await endAutovacuum(queryRunner, ['store_notifications', 'store_notification_copies']);
    await queryRunner.query(`
      LOCK TABLE apps IN SHARE ROW EXCLUSIVE MODE;
      LOCK TABLE store_notifications, store_notification_copies IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE store_notification_copies
        DROP CONSTRAINT store_notification_copies_project_id_notification_id_fkey;
      ${dropTriggers(notificationKeys)}
      DROP TRIGGER store_notifications_copied ON store_notifications;
      ALTER TABLE store_notifications DROP CONSTRAINT store_notifications_once,
        DROP CONSTRAINT store_notifications_pkey,
        ADD CONSTRAINT store_notifications_by_id PRIMARY KEY USING INDEX store_notifications_by_id`);
    await partitionByMonth(queryRunner, {
      name: 'store_notifications',
      column: 'received_at',
      fillfactor: 80,
      keys,
    });
    await queryRunner.query(`
      ${createTriggers(notificationKeys)}
      CREATE TRIGGER store_notifications_copied AFTER INSERT ON store_notifications
        FOR EACH ROW WHEN (NEW.forward_due_at IS NOT NULL) EXECUTE FUNCTION move_notification_copy()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
