import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stores may be asked, and subscriptions that they have to be asked about. */
export class StorePolling1764460000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE store_budgets (
        project_id text NOT NULL,
        app_id text NOT NULL,
        environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
        tokens double precision NOT NULL,
        refilled_at timestamptz(3) NOT NULL,
        blocked_until timestamptz(3),
        PRIMARY KEY (project_id, app_id, environment),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 50);

      CREATE INDEX subscriptions_by_end ON subscriptions (project_id, app_id, access_ends_at)
        WHERE access_ends_at IS NOT NULL;

      ALTER TABLE store_notifications ADD COLUMN answered_at timestamptz(3)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
