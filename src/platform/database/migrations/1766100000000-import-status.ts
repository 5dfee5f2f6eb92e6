import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The counts of large projects while their import is watched, and keys that stores did not know. */
export class ImportStatus1766100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE import_counts (
         project_id text NOT NULL,
         counted_at timestamptz(3) NOT NULL,
         watched_until timestamptz(3) NOT NULL,
         counts json NOT NULL,
         PRIMARY KEY (project_id)
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE import_key_misses (
         project_id text NOT NULL,
         subscription_id text NOT NULL,
         -- The store is not asked about it again before.
         ask_again_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, subscription_id),
         FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions (project_id, id) ON DELETE CASCADE
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
