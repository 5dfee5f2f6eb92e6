import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, createPartitionedIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds what an import left open: keys, newest subscriptions first; access held open; unknown prices. */
export class ImportStatusIndexes1766100000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_without_key',
      'ON subscriptions (project_id, app_id, started_at DESC, id) WHERE key_state IS NOT NULL',
    );
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_held_open',
      'ON subscriptions (project_id, held_from, access_ends_at) WHERE held_from IS NOT NULL',
    );
    await createPartitionedIndexConcurrently(
      queryRunner,
      'store_transactions_without_price',
      'store_transactions',
      `(project_id) WHERE (amount_micros IS NULL) AND (price_source = 'import')`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
