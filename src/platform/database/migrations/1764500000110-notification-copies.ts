import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is to be copied to the developer's own URL, in rows of its own: who takes such work locks its row, and must
 * not lock the notification that somebody else takes to process it.
 *
 * The columns `forward_…` and `forwarded_at` of `store_notifications` stay for the version before and are read by
 * nobody else. What it saves while it runs is moved by the trigger, so that each copy has one sender (one under way just
 * then may come twice); what was there before, by the next migration, since this one keeps notifications from being
 * saved. A later one drops trigger and columns.
 */
export class NotificationCopies1764500000110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE store_notification_copies (
        project_id text NOT NULL,
        notification_id text NOT NULL,
        app_id text NOT NULL,
        due_at timestamptz(3),
        lease_until timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        status integer,
        error text,
        attempted_at timestamptz(3),
        PRIMARY KEY (project_id, notification_id),
        FOREIGN KEY (project_id, notification_id) REFERENCES store_notifications (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX store_notification_copies_queue ON store_notification_copies (project_id, app_id, due_at)
        WHERE due_at IS NOT NULL;
      CREATE INDEX store_notification_copies_attempted
        ON store_notification_copies (project_id, app_id, attempted_at DESC) WHERE attempted_at IS NOT NULL;

      CREATE FUNCTION move_notification_copy() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO store_notification_copies (project_id, notification_id, app_id, due_at)
        VALUES (NEW.project_id, NEW.id, NEW.app_id, NEW.forward_due_at);
        UPDATE store_notifications SET forward_due_at = NULL WHERE project_id = NEW.project_id AND id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER store_notifications_copied AFTER INSERT ON store_notifications
        FOR EACH ROW WHEN (NEW.forward_due_at IS NOT NULL) EXECUTE FUNCTION move_notification_copy()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
