import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Purchases outside an app store, with the token that each must be reported with. */
export class ExternalPurchaseBindings1796680000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE external_purchase_bindings (
         project_id text NOT NULL,
         purchase_key text NOT NULL,
         store text NOT NULL,
         token_id text NOT NULL,
         bound_by text NOT NULL CHECK (bound_by IN ('id', 'action', 'newest')),
         bound_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, purchase_key),
         FOREIGN KEY (project_id, token_id) REFERENCES external_purchase_tokens (project_id, id)
       )`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_bindings_by_token ON external_purchase_bindings (project_id, token_id)`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
