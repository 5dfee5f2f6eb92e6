import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers purchases of deleted customers by a hash of the store's key. */
export class ErasedPurchases1796500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE erased_purchases (
         project_id text NOT NULL REFERENCES projects (id),
         key_hash bytea NOT NULL,
         erased_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, key_hash)
       )`,
    );
    await queryRunner.query('CREATE INDEX erased_purchases_by_time ON erased_purchases (erased_at)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
