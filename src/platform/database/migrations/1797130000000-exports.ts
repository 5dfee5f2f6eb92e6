import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of a project's data: where they go, what is sent and when, and each delivery. */
const tables = `
CREATE TABLE export_destinations (
  project_id text NOT NULL REFERENCES projects (id),
  id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('s3', 'gcs', 'azure', 'sftp', 'local')),
  prefix text NOT NULL,
  place text NOT NULL,
  settings jsonb NOT NULL,
  sealed_secrets text,
  secret_times jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE exports (
  project_id text NOT NULL REFERENCES projects (id),
  id text NOT NULL,
  name text NOT NULL,
  destination_id text NOT NULL,
  datasets jsonb NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'parquet')),
  mode text NOT NULL CHECK (mode IN ('incremental', 'full')),
  schedule jsonb NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox', 'all')),
  spreadsheet_safe boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused')),
  next_due_at timestamptz(3),
  cursors jsonb,
  resets integer NOT NULL DEFAULT 0,
  consecutive_failures integer NOT NULL DEFAULT 0,
  editor_kind text NOT NULL CHECK (editor_kind IN ('member', 'api_key')),
  editor_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, destination_id) REFERENCES export_destinations (project_id, id)
);
CREATE INDEX exports_by_destination ON exports (project_id, destination_id);

CREATE TABLE export_runs (
  project_id text NOT NULL,
  id text NOT NULL,
  export_id text NOT NULL,
  destination_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'preparing', 'writing', 'completing', 'succeeded', 'failed', 'canceled')),
  trigger text NOT NULL CHECK (trigger IN ('schedule', 'manual', 'api', 'cli')),
  requested_mode text NOT NULL CHECK (requested_mode IN ('incremental', 'full')),
  mode text NOT NULL CHECK (mode IN ('incremental', 'full')),
  mode_reason text CHECK (mode_reason IN ('first', 'cursor_expired', 'changed')),
  attempt integer NOT NULL DEFAULT 0,
  claims integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  lease_until timestamptz(3),
  snapshot_at timestamptz(3),
  data_until timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  place text,
  prefix text,
  name_second bigint,
  is_primary_only boolean NOT NULL DEFAULT false,
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  files jsonb NOT NULL DEFAULT '[]',
  uploads jsonb NOT NULL DEFAULT '[]',
  manifest text,
  cursors jsonb,
  warnings jsonb NOT NULL DEFAULT '[]',
  error_code text,
  error_message text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX export_runs_open ON export_runs (project_id, export_id) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX export_runs_names ON export_runs (project_id, place, prefix, name_second) WHERE name_second IS NOT NULL;
CREATE INDEX export_runs_due ON export_runs (project_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX export_runs_by_export ON export_runs (project_id, export_id, created_at, id);
`;

export class Exports1797130000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
