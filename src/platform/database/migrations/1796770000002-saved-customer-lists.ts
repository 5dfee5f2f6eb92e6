import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of customers that a project has saved. */
export class SavedCustomerLists1796770000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE customer_lists (
         project_id text NOT NULL,
         id text NOT NULL,
         display_name text NOT NULL,
         filters jsonb NOT NULL,
         sort text NOT NULL CHECK (sort IN ('last_seen', 'first_seen', 'spent')),
         sort_order text NOT NULL CHECK (sort_order IN ('asc', 'desc')),
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX customer_lists_by_creation ON customer_lists (project_id, created_at, id)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
