import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds customers by the beginning of an email, and by the value of an attribute. */
export class CustomerSearchIndexes1796770000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'customer_attributes_by_email_start',
      `ON customer_attributes (project_id, lower(left(value, 256)) text_pattern_ops) WHERE name = '$email'`,
    );
    await createIndexConcurrently(
      queryRunner,
      'customer_attributes_by_value',
      'ON customer_attributes (project_id, name, left(value, 64)) WHERE value IS NOT NULL',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
