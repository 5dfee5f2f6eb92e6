import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds the subscriptions that have periods of a guessed length. */
export class ImportGapsIndex1770080000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'subscriptions_unknown_lengths',
      'ON subscriptions (project_id, unknown_lengths) WHERE unknown_lengths IS NOT NULL',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
