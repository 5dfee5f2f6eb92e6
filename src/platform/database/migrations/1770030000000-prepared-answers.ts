import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prepared customer info of Stripe and Paddle named prices as plans, and had no end. A new catalog version makes it stale.
 */
export class PreparedAnswers1770030000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE customer_snapshots ADD COLUMN valid_until timestamptz(3)');
    await queryRunner.query('UPDATE projects SET catalog_version = catalog_version + 1');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
