import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports to app stores about purchases outside them. They stay when their customer is deleted. */
export class ExternalPurchaseReports1796680000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE external_purchase_reports (
         project_id text NOT NULL,
         id text NOT NULL,
         token_id text,
         app_id text NOT NULL,
         store text NOT NULL CHECK (store IN ('apple', 'google')),
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         purchase_key text NOT NULL,
         position integer NOT NULL,
         source_key text NOT NULL,
         event text NOT NULL,
         request_identifier text NOT NULL,
         items json NOT NULL,
         body json,
         state text NOT NULL CHECK (state IN ('due', 'sent', 'refused', 'needs_tax', 'needs_token', 'needs_data',
           'manual')),
         reason text,
         store_answer text,
         created_at timestamptz(3) NOT NULL,
         sent_at timestamptz(3),
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id, token_id) REFERENCES external_purchase_tokens (project_id, id)
       )`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX external_purchase_reports_by_source
         ON external_purchase_reports (project_id, store, source_key)`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX external_purchase_reports_by_purchase
         ON external_purchase_reports (project_id, purchase_key, position)`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_by_time ON external_purchase_reports (project_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_due ON external_purchase_reports (project_id, app_id, created_at)
         WHERE state = 'due'`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_tokens_open ON external_purchase_tokens (project_id, app_id, created_at)
         WHERE state = 'open'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
