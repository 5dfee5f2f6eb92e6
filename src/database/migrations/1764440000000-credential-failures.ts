import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apps whose store does not take their credentials. None for those that work. */
export class CredentialFailures1764440000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE store_credential_failures (
        project_id text NOT NULL,
        app_id text NOT NULL,
        failed_at timestamptz(3) NOT NULL,
        error text NOT NULL,
        PRIMARY KEY (project_id, app_id),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 50)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
