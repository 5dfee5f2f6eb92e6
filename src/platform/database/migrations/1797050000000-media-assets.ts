import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploaded images and fonts, and colors, fonts and variables that all paywalls of a project share. */
export class MediaAssets1797050000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE media_assets (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         filename text NOT NULL,
         content_type text NOT NULL,
         width integer,
         height integer,
         post_script_name text,
         md5 text,
         sha256 text NOT NULL CHECK (length(sha256) = 64),
         size integer NOT NULL,
         formats jsonb NOT NULL,
         created_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id),
         CONSTRAINT media_assets_content_unique UNIQUE (project_id, sha256)
       )`,
    );
    await queryRunner.query(
      `ALTER TABLE paywall_settings ALTER COLUMN ui_config_refs DROP NOT NULL,
         ADD COLUMN colors jsonb NOT NULL DEFAULT '{}',
         ADD COLUMN fonts jsonb NOT NULL DEFAULT '{}',
         ADD COLUMN custom_variables jsonb NOT NULL DEFAULT '{}'`,
    );
    await queryRunner.query(
      'CREATE INDEX media_assets_by_creation ON media_assets (project_id, created_at, id)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
