import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/** The counts of an import's status: kept for large projects, and found by an index for what waits. */
export class ImportStatus1766100000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS import_counts (
         project_id text NOT NULL,
         counted_at timestamptz(3) NOT NULL,
         watched_until timestamptz(3) NOT NULL,
         counts json NOT NULL,
         PRIMARY KEY (project_id)
       )`,
    );
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_awaiting_token',
      `ON subscriptions (project_id, app_id, started_at DESC) WHERE store_key LIKE 'needs_token_refresh:%'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
