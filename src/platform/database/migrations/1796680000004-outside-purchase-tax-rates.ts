import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tax rates by country, for outside purchases whose invoice names no tax. */
export class OutsidePurchaseTaxRates1796680000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE projects ADD COLUMN outside_purchase_tax_rates json NOT NULL DEFAULT '{}'`,
    );
    await queryRunner.query(
      `CREATE INDEX external_purchase_reports_incomplete ON external_purchase_reports (project_id, app_id)
         WHERE state IN ('needs_tax', 'needs_data')`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
