import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What apps post about where a customer came from, as it came. Kept by app user id, which stays when customers
 * become one; the latest of a network counts.
 */
export class CustomerAttributions1764240000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE customer_attributions (
        project_id text NOT NULL REFERENCES projects (id),
        app_user_id text COLLATE "C" NOT NULL,
        network text NOT NULL,
        data json NOT NULL,
        received_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, app_user_id, network)
      )`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
