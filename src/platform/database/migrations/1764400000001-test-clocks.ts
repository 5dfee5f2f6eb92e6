import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clocks that customers of the Test Store live by instead of the real time. */
export class TestClocks1764400000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE test_clocks (
        project_id text NOT NULL,
        id text NOT NULL,
        name text NOT NULL,
        frozen_at timestamptz(3) NOT NULL,
        -- Where to its customers are being brought; null: nowhere.
        target_at timestamptz(3),
        -- A customer could not be brought there.
        failed boolean NOT NULL DEFAULT false,
        plan text[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX test_clocks_advancing ON test_clocks (project_id, id) WHERE target_at IS NOT NULL AND NOT failed;

      -- The time of a customer with a clock: the clock's own, or somewhere between while it advances.
      ALTER TABLE customers ADD COLUMN test_clock_id text, ADD COLUMN test_clock_at timestamptz(3),
        ADD CHECK ((test_clock_id IS NULL) = (test_clock_at IS NULL)),
        ADD FOREIGN KEY (project_id, test_clock_id) REFERENCES test_clocks (project_id, id);
      CREATE INDEX customers_by_test_clock ON customers (project_id, test_clock_id) WHERE test_clock_id IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
