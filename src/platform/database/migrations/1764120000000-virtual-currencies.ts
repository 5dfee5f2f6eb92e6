import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Virtual currencies: definitions, what products grant of them, what customers hold, and how it moved. */
export class VirtualCurrencies1764120000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE virtual_currencies (
        project_id text NOT NULL REFERENCES projects (id),
        code text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text,
        state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'inactive')),
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, code)
      );

      CREATE TABLE virtual_currency_grants (
        project_id text NOT NULL,
        code text COLLATE "C" NOT NULL,
        position integer NOT NULL,
        product_id text NOT NULL,
        amount bigint NOT NULL CHECK (amount > 0),
        trial_amount bigint NOT NULL CHECK (trial_amount >= 0),
        expire_at_cycle_end boolean NOT NULL,
        PRIMARY KEY (project_id, code, product_id),
        FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE,
        FOREIGN KEY (project_id, product_id) REFERENCES products (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX virtual_currency_grants_by_product ON virtual_currency_grants (project_id, product_id);

      -- What a customer holds came in lots; a balance is what remains of those that have not expired.
      CREATE TABLE virtual_currency_lots (
        project_id text NOT NULL,
        customer_id text NOT NULL,
        id text NOT NULL,
        code text COLLATE "C" NOT NULL,
        remaining bigint NOT NULL CHECK (remaining >= 0),
        expires_at timestamptz(3),
        source_key text,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, customer_id, code, id),
        CONSTRAINT virtual_currency_lots_once UNIQUE (project_id, source_key, code),
        FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE
      ) WITH (fillfactor = 80);

      -- Append-only.
      CREATE TABLE virtual_currency_transactions (
        project_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        id text NOT NULL,
        code text COLLATE "C" NOT NULL,
        customer_id text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('product_grant', 'refund', 'adjustment', 'balance_update')),
        amount bigint NOT NULL,
        reference text,
        source_key text,
        PRIMARY KEY (project_id, created_at, id, code),
        FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE
      );
      CREATE INDEX virtual_currency_transactions_by_customer
        ON virtual_currency_transactions (project_id, customer_id, created_at)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
