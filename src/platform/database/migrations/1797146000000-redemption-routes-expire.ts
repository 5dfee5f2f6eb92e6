import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Routes of links are deleted by their own age: on Citus each node has a copy of them, and they cannot refer to links,
 * which are distributed. The default is for routes that exist and those of older servers: links last at
 * most 7 days, and are kept for 90 more.
 */
export class RedemptionRoutesExpire1797146000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE redemption_link_routes
         DROP CONSTRAINT redemption_link_routes_project_id_link_id_fkey,
         ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '100 days'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
