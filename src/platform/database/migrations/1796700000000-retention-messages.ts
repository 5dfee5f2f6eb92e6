import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts of the App Store's retention messages. Apple has their states. */
export class RetentionMessages1796700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE retention_messages (
         project_id text NOT NULL,
         app_id text NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         id text NOT NULL,
         header text NOT NULL,
         body text NOT NULL,
         created_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, app_id, environment, id),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
