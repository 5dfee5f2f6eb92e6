import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
ALTER TABLE projects ADD COLUMN experiment_holdout_percentage integer NOT NULL DEFAULT 0;

CREATE TABLE targeting_rules (
  project_id text NOT NULL,
  id text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'scheduled', 'inactive')),
  display_name text NOT NULL,
  offering_id text NOT NULL,
  conditions jsonb NOT NULL,
  placements jsonb,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  position integer NOT NULL CHECK (position >= 1),
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id),
  CHECK (state <> 'scheduled' OR starts_at IS NOT NULL)
);

CREATE TABLE experiments (
  project_id text NOT NULL,
  id text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'running', 'paused', 'stopped')),
  display_name text NOT NULL,
  experiment_type text,
  offerings jsonb NOT NULL,
  enrollment_percentage integer NOT NULL CHECK (enrollment_percentage BETWEEN 1 AND 100),
  enrollment_mode text NOT NULL CHECK (enrollment_mode IN ('only_new', 'new_and_existing')),
  weights jsonb,
  weights_changed_at timestamptz(3),
  conditions jsonb NOT NULL,
  placements jsonb,
  primary_metric text NOT NULL,
  secondary_metrics jsonb NOT NULL,
  duration_settings jsonb,
  notes text,
  priority integer NOT NULL CHECK (priority >= 1),
  winner_variant text CHECK (winner_variant IN ('a', 'b', 'c', 'd')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  paused_at timestamptz(3),
  resumed_at timestamptz(3),
  stopped_at timestamptz(3),
  ran_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

-- Which variant of an experiment a customer gets. Written once, with the event that reports it.
CREATE TABLE experiment_enrollments (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  experiment_id text NOT NULL,
  variant text NOT NULL CHECK (variant IN ('a', 'b', 'c', 'd')),
  enrolled_at timestamptz(3) NOT NULL,
  app_user_id text NOT NULL,
  app_id text,
  platform text,
  country text,
  is_sandbox boolean NOT NULL,
  -- The same person had two rows in this experiment before two customers became one.
  merged boolean NOT NULL DEFAULT false,
  -- Another live experiment of the customer goes on instead, since two customers became one.
  superseded_at timestamptz(3),
  PRIMARY KEY (project_id, customer_id, experiment_id),
  FOREIGN KEY (project_id, experiment_id) REFERENCES experiments (project_id, id)
);
-- Purchases before were made without any of these.
ALTER TABLE chart_dims ADD COLUMN placement text DEFAULT '', ADD COLUMN targeting_rule text DEFAULT '',
  ADD COLUMN experiment text DEFAULT '', ADD COLUMN experiment_variant text DEFAULT '';
CREATE INDEX experiment_enrollments_by_experiment ON experiment_enrollments (project_id, experiment_id, enrolled_at);
`;

/** Adds a column with a constant default and new tables: nothing is rewritten, and an older server still runs on it. */
export class Targeting1768500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
