import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for every successful write of a project. Append-only; the time is in the key, to be partitioned by. */
export class AuditLogs1764110000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_logs (
        project_id text NOT NULL REFERENCES projects (id),
        id text NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        action_type text NOT NULL,
        target_type text NOT NULL,
        target_identifier text NOT NULL,
        actor_type text NOT NULL CHECK (actor_type IN ('user', 'system', 'api_key', 'oauth_client', 'scim')),
        actor_identifier text NOT NULL,
        additional_data json NOT NULL,
        PRIMARY KEY (project_id, occurred_at, id)
      );
      CREATE INDEX audit_logs_by_id ON audit_logs (project_id, id)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
