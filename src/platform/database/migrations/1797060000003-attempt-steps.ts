import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The request that decided an attempt, if the attempt has several. */
export class AttemptSteps1797060000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_attempts ADD COLUMN step smallint NOT NULL DEFAULT 0');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
