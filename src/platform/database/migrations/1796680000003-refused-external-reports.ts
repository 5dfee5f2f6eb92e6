import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest refused report of each app, for the setup health. */
export class RefusedExternalReports1796680000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_refused ON external_purchase_reports (project_id, app_id, created_at)
         WHERE state = 'refused'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
