import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A deleted project keeps its row until nothing of it is left; `purge_due_at` is the queue of that work. */
export class ProjectDeletion1764210000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE projects
        ADD COLUMN deleted_at timestamptz(3),
        ADD COLUMN purge_due_at timestamptz(3),
        ADD CONSTRAINT projects_deleted_are_purged CHECK ((deleted_at IS NULL) = (purge_due_at IS NULL));
      CREATE INDEX projects_purge_queue ON projects (purge_due_at) WHERE purge_due_at IS NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
