import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Few kept answers show several customers: these are found by their tenant. */
export class KeptAnswersOfSeveral1764500000131 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'idempotency_keys_of_several',
      'ON idempotency_keys (tenant_id) WHERE other_app_user_ids IS NOT NULL',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
