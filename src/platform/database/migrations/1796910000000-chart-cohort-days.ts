import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartCohortDays } from './charts/chart-cohort-days.sql.js';

/** All days are summed again, the newest first. Until then, the cohort explorer reads facts. */
export class ChartCohortDays1796910000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartCohortDays);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
