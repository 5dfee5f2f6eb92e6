import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of purchases outside a store, which are reported with them. */
export class ExternalPurchaseTokens1769710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE external_purchase_tokens (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         app_id text NOT NULL,
         store text NOT NULL CHECK (store IN ('apple', 'google')),
         kind text CHECK (kind IN ('IN_APP', 'LINK_OUT', 'ACQUISITION', 'SERVICES')),
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         external_purchase_id text,
         sealed_token text,
         customer_id text,
         token_created_at timestamptz(3),
         token_expires_at timestamptz(3),
         created_at timestamptz(3) NOT NULL,
         state text NOT NULL CHECK (state IN ('open', 'used', 'reported_empty', 'duplicate', 'unrecognized',
           'unreadable', 'foreign', 'refused')),
         PRIMARY KEY (project_id, id)
       )`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX external_purchase_tokens_by_store_id
         ON external_purchase_tokens (project_id, app_id, external_purchase_id)`,
    );
    await queryRunner.query(
      'CREATE INDEX external_purchase_tokens_by_customer ON external_purchase_tokens (project_id, customer_id)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
