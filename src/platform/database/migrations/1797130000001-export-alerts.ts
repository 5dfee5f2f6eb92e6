import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alerts about exports. Existing rows have one of the earlier causes, so they are not read again. */
export class ExportAlerts1797130000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE project_alerts
         DROP CONSTRAINT project_alerts_cause_check,
         ADD CONSTRAINT project_alerts_cause_check CHECK (cause IN ('webhook_failing', 'destination_failing',
           'credentials_refused', 'notifications_silent', 'experiment_warning', 'export_failing',
           'export_destination_added')) NOT VALID`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
