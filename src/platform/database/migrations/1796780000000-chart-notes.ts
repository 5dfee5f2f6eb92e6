import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes on days, which charts show. */
export class ChartNotes1796780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE chart_notes (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         date date NOT NULL,
         text text NOT NULL,
         created_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX chart_notes_by_creation ON chart_notes (project_id, created_at, id)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
