import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Servers before 0.12.0 counted these figures; charts do now. */
export class ReplacedMetricTables1797030000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE metric_changes, metric_periods, metric_hours, metric_days, metric_projects',
    );
    await queryRunner.query('DROP FUNCTION mark_chart_purchases(), add_metric_hours()');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
