import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- All addresses of SCIM users in lower case: identity providers look people up by them.
CREATE TABLE scim_user_emails (
  org_id text NOT NULL,
  email text NOT NULL,
  scim_user_id text NOT NULL,
  PRIMARY KEY (org_id, email, scim_user_id),
  FOREIGN KEY (org_id, scim_user_id) REFERENCES scim_users (org_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_user_emails_by_user ON scim_user_emails (org_id, scim_user_id);
`;

export class ScimUserEmails1767200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
