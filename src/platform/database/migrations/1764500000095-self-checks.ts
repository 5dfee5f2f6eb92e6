import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a project's customers are next compared with their facts, and behind whom to go on. */
export class SelfChecks1764500000095 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE self_checks (
        project_id text PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
        due_at timestamptz(3) NOT NULL,
        after_customer_id text NOT NULL DEFAULT ''
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
