import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Figures of what is sold by plan or by price are made anew: they did not tell the plans of a product apart. */
export class MetricsOfPlans1764500000191 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      INSERT INTO metric_changes (project_id, purchase_id, changed_at)
      SELECT s.project_id, s.id, now() FROM subscriptions s JOIN projects p ON p.id = s.project_id
      WHERE s.store IN ('play_store', 'stripe', 'paddle') AND p.deleted_at IS NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
