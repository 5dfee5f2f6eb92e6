import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Extensions of all subscribers are kept before Apple is asked, so that the same request can be repeated. */
export class MassExtensionRepeats1764500000190 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE subscription_mass_extensions ADD COLUMN answered boolean NOT NULL DEFAULT true;
      CREATE UNIQUE INDEX subscription_mass_extensions_unanswered ON subscription_mass_extensions (project_id, app_id,
        environment, store_product_id, extend_by_days, extend_reason_code, storefront_country_codes)
        WHERE NOT answered`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
