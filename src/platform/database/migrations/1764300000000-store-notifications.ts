import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The inbox of store notifications, and the way from an app's id, as it stands in the address that the store
 * was given, to the app's project.
 */
export class StoreNotifications1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE app_routes (
        app_id text PRIMARY KEY,
        project_id text NOT NULL
      );
      CREATE INDEX app_routes_by_project ON app_routes (project_id, app_id);
      INSERT INTO app_routes (app_id, project_id) SELECT id, project_id FROM apps ON CONFLICT DO NOTHING;

      CREATE TABLE store_notifications (
        project_id text NOT NULL,
        id text NOT NULL,
        app_id text NOT NULL,
        dedupe_key text NOT NULL,
        kind text,
        subkind text,
        environment text CHECK (environment IN ('production', 'sandbox')),
        subject text,
        body bytea,
        content_type text,
        sent_at timestamptz(3),
        received_at timestamptz(3) NOT NULL,
        state text NOT NULL CHECK (state IN ('received', 'processed', 'ignored_type', 'ignored_unknown_purchase',
          'retrying', 'failed', 'rejected')),
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3),
        lease_until timestamptz(3),
        processed_at timestamptz(3),
        last_error text,
        last_error_at timestamptz(3),
        forward_due_at timestamptz(3),
        forward_lease_until timestamptz(3),
        forward_attempts integer NOT NULL DEFAULT 0,
        forward_status integer,
        forward_error text,
        forwarded_at timestamptz(3),
        PRIMARY KEY (project_id, id),
        CONSTRAINT store_notifications_once UNIQUE (project_id, app_id, dedupe_key),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX store_notifications_queue ON store_notifications (project_id, app_id, due_at)
        WHERE due_at IS NOT NULL;
      CREATE INDEX store_notifications_forward_queue ON store_notifications (project_id, app_id, forward_due_at)
        WHERE forward_due_at IS NOT NULL;
      CREATE INDEX store_notifications_by_time ON store_notifications (project_id, app_id, received_at DESC);
      CREATE INDEX store_notifications_errors ON store_notifications (project_id, app_id, last_error_at DESC)
        WHERE last_error_at IS NOT NULL;
      CREATE INDEX store_notifications_forwarded ON store_notifications (project_id, app_id, forwarded_at DESC)
        WHERE forwarded_at IS NOT NULL;
      CREATE INDEX store_notifications_unknown ON store_notifications (project_id, app_id, subject)
        WHERE state = 'ignored_unknown_purchase'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
