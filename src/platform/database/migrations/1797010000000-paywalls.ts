import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Paywalls with their published versions, and the content that SDKs fetch by its checksum. */
export class Paywalls1797010000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE paywalls (
         project_id text NOT NULL,
         id text NOT NULL,
         name text NOT NULL,
         offering_id text NOT NULL,
         draft jsonb,
         revision integer NOT NULL,
         automatically_scale_font_size boolean NOT NULL,
         published_revision integer,
         published_offering_id text,
         published_at timestamptz(3),
         published_ref text,
         published_bytes integer,
         published_base_url text,
         created_at timestamptz(3) NOT NULL,
         updated_at timestamptz(3) NOT NULL,
         PRIMARY KEY (project_id, id),
         CONSTRAINT paywalls_offering_unique UNIQUE (project_id, offering_id),
         CONSTRAINT paywalls_published_offering_unique UNIQUE (project_id, published_offering_id),
         CONSTRAINT paywalls_published_whole CHECK (num_nonnulls(published_revision, published_offering_id,
           published_at, published_ref, published_bytes, published_base_url) IN (0, 6)),
         CONSTRAINT paywalls_have_content CHECK (draft IS NOT NULL OR published_revision IS NOT NULL),
         FOREIGN KEY (project_id, offering_id) REFERENCES offerings (project_id, id) ON DELETE CASCADE,
         FOREIGN KEY (project_id, published_offering_id) REFERENCES offerings (project_id, id)
       )`,
    );
    await queryRunner.query('CREATE INDEX paywalls_by_creation ON paywalls (project_id, created_at, id)');
    await queryRunner.query(
      `CREATE TABLE paywall_versions (
         project_id text NOT NULL,
         paywall_id text NOT NULL,
         revision integer NOT NULL,
         document jsonb NOT NULL,
         published_at timestamptz(3) NOT NULL,
         published_by text NOT NULL,
         PRIMARY KEY (project_id, paywall_id, revision),
         FOREIGN KEY (project_id, paywall_id) REFERENCES paywalls (project_id, id) ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE paywall_settings (
         project_id text NOT NULL PRIMARY KEY REFERENCES projects (id),
         ui_config_refs jsonb NOT NULL,
         updated_at timestamptz(3) NOT NULL
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE content_blobs (
         project_id text NOT NULL REFERENCES projects (id),
         ref text NOT NULL CHECK (length(ref) = 32),
         content_type text NOT NULL,
         bytes bytea NOT NULL,
         created_at timestamptz(3) NOT NULL,
         unused_since timestamptz(3),
         PRIMARY KEY (project_id, ref)
       )`,
    );
    await queryRunner.query(
      `CREATE INDEX content_blobs_unused ON content_blobs (project_id, unused_since)
         WHERE unused_since IS NOT NULL`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
