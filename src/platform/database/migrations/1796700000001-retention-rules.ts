import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules that choose retention messages, and the requests that Apple made. */
export class RetentionRules1796700000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE retention_rules (
         project_id text NOT NULL,
         id text NOT NULL,
         app_id text NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         position integer NOT NULL,
         display_name text NOT NULL,
         conditions jsonb NOT NULL,
         message_id text NOT NULL,
         alternate_product_id text,
         offer_product_id text,
         offer_id text,
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         CHECK ((offer_product_id IS NULL) = (offer_id IS NULL)),
         CHECK (alternate_product_id IS NULL OR offer_id IS NULL),
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE retention_requests (
         project_id text NOT NULL,
         app_id text NOT NULL,
         request_identifier text NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         subscription_id text,
         rule_id text,
         answer jsonb,
         at timestamptz(3) NOT NULL,
         period_ends_at timestamptz(3),
         auto_renew_after_24h boolean,
         renewed boolean,
         due_at timestamptz(3),
         PRIMARY KEY (project_id, app_id, request_identifier),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
    const indexes = [
      'INDEX retention_rules_by_app ON retention_rules (project_id, app_id, position, id)',
      'INDEX retention_requests_by_time ON retention_requests (project_id, app_id, environment, at)',
      'INDEX retention_requests_by_age ON retention_requests (at)',
      'INDEX retention_requests_due ON retention_requests (due_at) WHERE due_at IS NOT NULL',
      `INDEX retention_requests_due_in_project ON retention_requests (project_id, due_at)
         WHERE due_at IS NOT NULL`,
    ];
    for (const index of indexes) await queryRunner.query(`CREATE ${index}`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
