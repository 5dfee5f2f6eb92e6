import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the sign-ins that a browser has started, and remembers who a member is at each connection. */
export class SsoSubjects1769100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Rows live ten minutes, so the table is small.
    await queryRunner.query(
      'CREATE INDEX sso_login_states_by_browser ON sso_login_states (org_id, connection_id, browser_hash)',
    );
    await queryRunner.query(
      `ALTER TABLE organization_members ADD COLUMN sso_subjects jsonb NOT NULL DEFAULT '{}'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
