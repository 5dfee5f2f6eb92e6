import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- Figures of a variant's customers, by what was recorded when they joined. An empty product: all of them.
CREATE TABLE experiment_figures (
  project_id text NOT NULL,
  experiment_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  variant text NOT NULL,
  product text NOT NULL,
  platform text NOT NULL,
  country text NOT NULL,
  customers integer NOT NULL,
  recent_customers integer NOT NULL,
  converted integer NOT NULL,
  trials_started integer NOT NULL,
  trials_completed integer NOT NULL,
  trials_converted integer NOT NULL,
  paid integer NOT NULL,
  active integer NOT NULL,
  renewing integer NOT NULL,
  churned integer NOT NULL,
  refunded integer NOT NULL,
  revenue bigint NOT NULL,
  revenue_squares double precision NOT NULL,
  monthly bigint NOT NULL,
  monthly_squares double precision NOT NULL,
  PRIMARY KEY (project_id, experiment_id, environment, variant, product, platform, country),
  FOREIGN KEY (project_id, experiment_id) REFERENCES experiments (project_id, id) ON DELETE CASCADE
);

-- When the figures of an experiment were computed, and when they are next.
CREATE TABLE experiment_computations (
  project_id text NOT NULL,
  experiment_id text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  computed_at timestamptz(3),
  contaminated integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, experiment_id),
  FOREIGN KEY (project_id, experiment_id) REFERENCES experiments (project_id, id) ON DELETE CASCADE
);

ALTER TABLE project_alerts DROP CONSTRAINT project_alerts_cause_check;
ALTER TABLE project_alerts ADD CONSTRAINT project_alerts_cause_check CHECK (cause IN (
  'webhook_failing', 'credentials_refused', 'notifications_silent', 'experiment_warning'));
`;

export class ExperimentResults1768550000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
