import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts values that stores sent and this server does not know. */
export class StoreUnknownValues1796620000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE store_unknown_values (
         project_id text NOT NULL,
         app_id text NOT NULL,
         field text NOT NULL,
         value text NOT NULL,
         store text NOT NULL,
         count bigint NOT NULL,
         first_seen_at timestamptz(3) NOT NULL,
         last_seen_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, app_id, field, value),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
