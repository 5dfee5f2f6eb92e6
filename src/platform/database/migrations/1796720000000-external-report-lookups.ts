import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports about outside purchases by token, and those that their store has not accepted. */
export class ExternalReportLookups1796720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_by_token ON external_purchase_reports (project_id, token_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_unsent
         ON external_purchase_reports (project_id, state, app_id, created_at) WHERE state <> 'sent'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
