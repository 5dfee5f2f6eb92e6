import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMonths } from '../schema/monthly-partitions.js';

/** Events of SDKs about paywalls, customer centers and ads, and the first view of each paywall by each customer. */
export class SdkEvents1796950000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Columns of fixed length come first, and the index has no time: there may be billions of rows.
    await queryRunner.query(
      `CREATE TABLE sdk_events (
         at timestamptz(3) NOT NULL,
         received_at timestamptz(3) NOT NULL,
         id uuid NOT NULL,
         session_id uuid,
         is_sandbox boolean NOT NULL,
         project_id text NOT NULL,
         kind text NOT NULL,
         app_id text NOT NULL,
         app_user_id text NOT NULL,
         paywall_id text,
         offering_id text,
         platform text,
         locale text,
         data json NOT NULL,
         PRIMARY KEY (project_id, at, id)
       ) PARTITION BY RANGE (at)`,
    );
    await queryRunner.query('CREATE INDEX sdk_events_by_app_user_id ON sdk_events (project_id, app_user_id)');
    await createMonths(queryRunner, 'sdk_events', 100);
    await queryRunner.query(
      `CREATE TABLE paywall_views (
         project_id text NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         app_user_id text NOT NULL,
         paywall_id text NOT NULL,
         first_at timestamptz(3) NOT NULL,
         initiated_at timestamptz(3),
         PRIMARY KEY (project_id, environment, app_user_id, paywall_id)
       )`,
    );
    await queryRunner.query(
      `ALTER TABLE projects ADD COLUMN sdk_events text NOT NULL DEFAULT 'essential'
         CHECK (sdk_events IN ('essential', 'all', 'off'))`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
