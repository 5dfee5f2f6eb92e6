import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the subscriptions whose time has come, project by project. */
export class DueWork1764400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX subscriptions_due ON subscriptions (project_id, next_due_at) WHERE next_due_at IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
