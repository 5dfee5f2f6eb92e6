import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests from unsigned notifications, which webhooks report once Google has accepted an answer. */
export class UnverifiedRefundRequests1796730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE refund_requests ADD COLUMN is_unverified boolean NOT NULL DEFAULT false',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
