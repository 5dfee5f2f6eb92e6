import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that a replay left out because they had been delivered. */
export class ReplayedDeliveries1797100000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE webhook_replays ADD COLUMN already_delivered integer NOT NULL DEFAULT 0',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
