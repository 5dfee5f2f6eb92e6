import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- Stores that limit callers by their address: one budget for all apps of this server.
CREATE TABLE shared_store_budgets (
  store text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  tokens double precision NOT NULL,
  refilled_at timestamptz(3) NOT NULL,
  blocked_until timestamptz(3),
  PRIMARY KEY (store, environment)
) WITH (fillfactor = 50);
`;

export class SharedStoreBudgets1768300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
