import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds the subscriptions whose key in the store is still to be found. */
export class ImportKeysIndex1766000000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_by_key_state',
      'ON subscriptions (project_id, key_state, app_id) WHERE key_state IS NOT NULL',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
