import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Charts of large projects are computed for some customers at a time, and in the background if that takes long. Servers
 * of the version before use neither.
 */
export class ChartPieces1796850000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE chart_pieces (
         project_id text NOT NULL REFERENCES projects (id),
         from_customer_id text NOT NULL,
         PRIMARY KEY (project_id, from_customer_id)
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE chart_questions (
         project_id text NOT NULL REFERENCES projects (id),
         hash text NOT NULL,
         question json NOT NULL,
         state text NOT NULL CHECK (state IN ('waiting', 'computing', 'done', 'failed')),
         pieces integer NOT NULL,
         pieces_done integer NOT NULL DEFAULT 0,
         attempts integer NOT NULL DEFAULT 0,
         answer json,
         as_of timestamptz(3),
         asked_at timestamptz(3) NOT NULL,
         started_at timestamptz(3),
         computed_at timestamptz(3),
         expires_at timestamptz(3),
         due_at timestamptz(3),
         lease_until timestamptz(3),
         PRIMARY KEY (project_id, hash)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX chart_questions_due ON chart_questions (project_id, due_at) WHERE due_at IS NOT NULL',
    );
    await queryRunner.query(
      `ALTER TABLE chart_projects ADD COLUMN counted_at timestamptz(3),
         ADD COLUMN customers bigint NOT NULL DEFAULT 0, ADD COLUMN facts bigint NOT NULL DEFAULT 0,
         ADD COLUMN payers bigint NOT NULL DEFAULT 0, ADD COLUMN runs bigint NOT NULL DEFAULT 0,
         ADD COLUMN active_days bigint NOT NULL DEFAULT 0`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
