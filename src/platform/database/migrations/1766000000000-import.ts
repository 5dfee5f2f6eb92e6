import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A check on a partitioned table is valid for new rows at once; existing rows were written under the narrower one. */
const widen = (table: string, column: string, values: readonly string[]): string => `
  ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check,
    ADD CONSTRAINT ${table}_${column}_check CHECK (${column} IN (${values.map((value) => `'${value}'`).join(', ')}))
    NOT VALID`;

/** Customers of another system, their subscriptions and their balances. The version before runs on it. */
export class Import1766000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects ADD COLUMN has_imports boolean NOT NULL DEFAULT false');
    // Subscriptions whose key in the store is still to be found: `guessed` or `token_needed`.
    await queryRunner.query(
      'ALTER TABLE subscriptions ADD COLUMN key_state text, ADD COLUMN held_from timestamptz(3)',
    );
    await queryRunner.query(
      `CREATE TABLE subscription_aliases (
         project_id text NOT NULL,
         alias_id text NOT NULL,
         subscription_id text NOT NULL,
         PRIMARY KEY (project_id, alias_id),
         FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX subscription_aliases_by_owner ON subscription_aliases (project_id, subscription_id)',
    );
    await queryRunner.query(
      widen('store_transactions', 'price_source', [
        'store',
        'order',
        'import',
        'device',
        'catalog',
        'unknown',
      ]),
    );
    await queryRunner.query(
      widen('ownership_changes', 'rule', [
        'transfer',
        'transfer_if_no_active',
        'share',
        'anonymous_owner',
        'sign_in',
        'alias',
        'transfer_action',
        'import',
      ]),
    );
    await queryRunner.query(
      widen('virtual_currency_transactions', 'kind', [
        'product_grant',
        'refund',
        'adjustment',
        'balance_update',
        'import',
      ]),
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
