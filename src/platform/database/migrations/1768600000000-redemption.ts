import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links with which purchases made on the web are redeemed in an app. An older server still runs on it. */
export class Redemption1768600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE redemption_settings (
         project_id text PRIMARY KEY REFERENCES projects (id),
         enabled text NOT NULL CHECK (enabled IN ('off', 'sandbox', 'production')),
         url_scheme text,
         link_minutes integer NOT NULL CHECK (link_minutes BETWEEN 5 AND 10080),
         mail_on_purchase boolean NOT NULL,
         mail_on_expired boolean,
         app_name text,
         app_store_url text,
         play_store_url text,
         support_email text
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE redemption_links (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         customer_id text NOT NULL,
         purchase_kind text NOT NULL CHECK (purchase_kind IN ('subscription', 'one_time')),
         purchase_id text NOT NULL,
         app_id text,
         store text NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         email text,
         mailed_at timestamptz(3),
         created_at timestamptz(3) NOT NULL,
         expires_at timestamptz(3) NOT NULL,
         replaced_at timestamptz(3),
         revoked_at timestamptz(3),
         redeemed_at timestamptz(3),
         redeemed_by text,
         redeemed_by_customer_id text,
         PRIMARY KEY (project_id, id)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX redemption_links_by_customer ON redemption_links (project_id, customer_id, created_at, id)',
    );
    await queryRunner.query(
      `CREATE INDEX redemption_links_by_redeemer ON redemption_links (project_id, redeemed_by_customer_id)
         WHERE redeemed_by_customer_id IS NOT NULL`,
    );
    await queryRunner.query(
      'CREATE INDEX redemption_links_by_purchase ON redemption_links (project_id, purchase_id, created_at)',
    );
    await queryRunner.query('CREATE INDEX redemption_links_by_expiry ON redemption_links (expires_at)');
    await queryRunner.query(
      `CREATE TABLE redemption_link_routes (
         token_hash bytea PRIMARY KEY,
         project_id text NOT NULL,
         link_id text NOT NULL,
         FOREIGN KEY (project_id, link_id) REFERENCES redemption_links (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      'CREATE UNIQUE INDEX redemption_link_routes_by_link ON redemption_link_routes (project_id, link_id)',
    );
    // Existing rows were written under the narrower check.
    await queryRunner.query(
      `ALTER TABLE ownership_changes DROP CONSTRAINT ownership_changes_rule_check,
         ADD CONSTRAINT ownership_changes_rule_check CHECK (rule IN ('transfer', 'transfer_if_no_active', 'share',
           'anonymous_owner', 'sign_in', 'alias', 'transfer_action', 'import', 'redemption')) NOT VALID`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
