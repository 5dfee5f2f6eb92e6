import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Management pages by store, beside the prepared answer, for customers whose subscriptions are of several stores. */
export class StoreManagementUrls1764420000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Null for all but a few.
      ALTER TABLE customer_snapshots ADD COLUMN store_urls json;
      -- Answers that were prepared without it are prepared again.
      UPDATE projects SET catalog_version = catalog_version + 1`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
