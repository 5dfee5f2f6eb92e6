import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of views of paywalls, by which charts are computed in the background or at once. */
export class PaywallViewCounts1797040000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE chart_projects ADD COLUMN views bigint NOT NULL DEFAULT 0');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
