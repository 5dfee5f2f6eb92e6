import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that were replayed have a time of their own: they are found by their event. */
export class ReplayedDeliveries1764420000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_replayed ON webhook_deliveries (project_id, event_id) WHERE replay`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
