import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts guessed lengths of imported periods, and remembers orders that Google Play did not know. */
export class ImportGaps1770080000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE subscriptions ADD COLUMN unknown_lengths smallint');
    await queryRunner.query(
      `CREATE TABLE import_order_misses (
         project_id text NOT NULL,
         app_id text NOT NULL,
         order_id text NOT NULL,
         -- The store is not asked about it again before.
         ask_again_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, app_id, order_id),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
