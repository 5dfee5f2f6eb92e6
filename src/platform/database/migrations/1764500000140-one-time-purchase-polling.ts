import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/** One-time purchases of an app by their time: the store may have to be asked whether they were given back. */
export class OneTimePurchasePolling1764500000140 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'one_time_purchases_by_time',
      'ON one_time_purchases (project_id, app_id, purchased_at)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
