import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartCohortSums } from './charts/chart-cohort-sums.sql.js';

/** Conversion and lifetime value by one dimension are read from sums. They are built in the background. */
export class ChartCohortSums1797000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartCohortSums);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
