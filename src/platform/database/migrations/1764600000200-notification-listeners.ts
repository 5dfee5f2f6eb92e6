import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that take store notifications now, and since when one of them has without a break. */
export class NotificationListeners1764600000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE notification_listeners (
        id text PRIMARY KEY,
        since timestamptz(3) NOT NULL,
        beat_at timestamptz(3) NOT NULL
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
