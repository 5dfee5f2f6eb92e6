import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Objects that clients get back as they sent them, with their keys in order. */
export class CatalogJson1764100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE apps
        ALTER COLUMN store_settings DROP DEFAULT,
        ALTER COLUMN store_settings TYPE json USING store_settings::json,
        ALTER COLUMN store_settings SET DEFAULT '{}',
        ALTER COLUMN sealed_credentials DROP DEFAULT,
        ALTER COLUMN sealed_credentials TYPE json USING sealed_credentials::json,
        ALTER COLUMN sealed_credentials SET DEFAULT '{}';
      ALTER TABLE offerings ALTER COLUMN metadata TYPE json USING metadata::json`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
