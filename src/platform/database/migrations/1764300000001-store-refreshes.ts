import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Purchases that a store is to be asked about again, and accounts of stores by which notifications name people. */
export class StoreRefreshes1764300000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE store_refreshes (
        project_id text NOT NULL,
        app_id text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        purchase_key text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        lease_until timestamptz(3),
        last_error text,
        PRIMARY KEY (project_id, app_id, environment, purchase_key),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX store_refreshes_queue ON store_refreshes (project_id, app_id, due_at);

      CREATE TABLE store_accounts (
        project_id text NOT NULL,
        app_id text NOT NULL,
        kind text NOT NULL,
        account_key text NOT NULL,
        customer_id text NOT NULL,
        seen_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, app_id, kind, account_key),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX store_accounts_by_customer ON store_accounts (project_id, customer_id);

      CREATE TABLE subscription_mass_extensions (
        project_id text NOT NULL,
        app_id text NOT NULL,
        id text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        product_id text NOT NULL,
        store_product_id text NOT NULL,
        extend_by_days integer NOT NULL,
        extend_reason_code text NOT NULL,
        storefront_country_codes text[] NOT NULL,
        complete boolean NOT NULL DEFAULT false,
        completed_at timestamptz(3),
        succeeded_count integer,
        failed_count integer,
        requested_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, app_id, id),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
