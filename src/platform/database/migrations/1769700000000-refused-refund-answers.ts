import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps why a store refused the answer to a refund request. */
export class RefusedRefundAnswers1769700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE store_notifications ADD COLUMN answer_error text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
