import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an unfinished erasure has removed so far, for the receipt of its end; whose answers are kept under a key. */
export class ErasureReceipts1764500000090 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE customer_erasures
        ADD COLUMN app_user_id text,
        ADD COLUMN erased json NOT NULL DEFAULT '{}';
      ALTER TABLE idempotency_keys ADD COLUMN app_user_id text;
      -- Made in a moment: the table holds a day, and none of its rows comes in.
      CREATE INDEX idempotency_keys_by_customer ON idempotency_keys (tenant_id, app_user_id)
        WHERE app_user_id IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
