import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits since before, and the last copy of each app, of which its health tells. Locks rows, not the inbox. */
export class WaitingNotificationCopies1764500000111 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      WITH waiting AS MATERIALIZED (
        SELECT * FROM store_notifications WHERE forward_due_at IS NOT NULL FOR UPDATE
      ), copied AS (
        INSERT INTO store_notification_copies (project_id, notification_id, app_id, due_at, attempts, status, error,
          attempted_at)
        SELECT project_id, id, app_id, forward_due_at, forward_attempts, forward_status, forward_error, forwarded_at
        FROM waiting
      )
      UPDATE store_notifications n SET forward_due_at = NULL, forward_lease_until = NULL
      FROM waiting w WHERE n.project_id = w.project_id AND n.id = w.id`);
    await queryRunner.query(`
      INSERT INTO store_notification_copies (project_id, notification_id, app_id, attempts, status, error, attempted_at)
      SELECT last.* FROM apps a CROSS JOIN LATERAL (
        SELECT n.project_id, n.id, n.app_id, n.forward_attempts, n.forward_status, n.forward_error, n.forwarded_at
        FROM store_notifications n
        WHERE n.project_id = a.project_id AND n.app_id = a.id AND n.forwarded_at IS NOT NULL
        ORDER BY n.forwarded_at DESC LIMIT 1) last
      ON CONFLICT DO NOTHING`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
