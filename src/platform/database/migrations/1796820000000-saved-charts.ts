import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Questions to charts that a project or one of its members has saved. Private ones end with the membership. */
export class SavedCharts1796820000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE saved_charts (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         owner_id text,
         display_name text NOT NULL,
         chart_name text NOT NULL,
         parameters jsonb NOT NULL,
         position integer NOT NULL,
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id, owner_id) REFERENCES project_members (project_id, user_id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX saved_charts_by_creation ON saved_charts (project_id, created_at, id)',
    );
    await queryRunner.query('CREATE INDEX saved_charts_by_owner ON saved_charts (project_id, owner_id)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
