import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects whose data another deployment has. The table is empty unless regions are enforced. */
export class ProjectLocations1769900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE project_locations (
      project_id text PRIMARY KEY,
      region text NOT NULL CHECK (region IN ('us', 'eu')),
      changed_at timestamptz(3) NOT NULL
    )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
