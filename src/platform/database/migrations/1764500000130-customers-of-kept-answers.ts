import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further customers whom a kept answer shows: both sides of a transfer, the customers of a test clock. */
export class CustomersOfKeptAnswers1764500000130 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD COLUMN other_app_user_ids text[]');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
