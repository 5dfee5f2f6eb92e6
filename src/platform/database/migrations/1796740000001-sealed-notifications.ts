import type { MigrationInterface, QueryRunner } from 'typeorm';

export const forgetProcessedReviews = `
  UPDATE store_notifications n SET body = NULL FROM refund_requests r
  WHERE r.store = 'play_store' AND n.project_id = r.project_id AND n.app_id = r.app_id
    AND n.received_at BETWEEN r.received_at - interval '1 hour' AND r.received_at
    AND n.kind = 'PENDING_REFUND_REVIEW' AND n.state = 'processed'
    AND NOT EXISTS (
      SELECT 1 FROM store_notification_copies c
      WHERE c.project_id = n.project_id AND c.notification_id = n.id AND c.due_at IS NOT NULL)`;

/**
 * Notifications that contain a secret are sealed. Those of chargebacks that were processed before lose their body: the
 * refund request has what it said. The dropped columns have had no reader since refund requests have a table.
 */
export class SealedNotifications1796740000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // First, because the other statement locks the inbox.
    await queryRunner.query(forgetProcessedReviews);
    await queryRunner.query(
      `ALTER TABLE store_notifications ADD COLUMN sealed_body text, DROP COLUMN answered_at, DROP COLUMN answer_error`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
