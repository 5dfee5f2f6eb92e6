import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of customers that are written to files in the background. */
export class CustomerListExports1796830000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE customer_list_exports (
         project_id text NOT NULL,
         id text NOT NULL,
         filters jsonb NOT NULL,
         state text NOT NULL CHECK (state IN ('running', 'ready', 'failed')),
         failure text CHECK (failure IN ('too_large', 'filters_outdated', 'customer_erased')),
         restarts integer NOT NULL,
         after_customer_id text NOT NULL,
         written_rows integer NOT NULL,
         total_rows integer,
         pieces integer NOT NULL,
         bytes bigint NOT NULL,
         lease_until timestamptz(3),
         created_at timestamptz(3) NOT NULL,
         finished_at timestamptz(3),
         expires_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id)
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE customer_list_export_pieces (
         project_id text NOT NULL,
         export_id text NOT NULL,
         number integer NOT NULL,
         content bytea NOT NULL,
         PRIMARY KEY (project_id, export_id, number)
       )`,
    );
    // Pieces are already compressed.
    await queryRunner.query(
      'ALTER TABLE customer_list_export_pieces ALTER COLUMN content SET STORAGE EXTERNAL',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
