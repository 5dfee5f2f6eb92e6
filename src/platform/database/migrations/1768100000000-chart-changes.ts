import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartCohorts } from './charts/chart-cohorts.sql.js';
import { chartProductChanges } from './charts/chart-product-changes.sql.js';

/** Changes of products concern the customers who bought them, and cohorts have sums. An older server still runs on it. */
export class ChartChanges1768100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartProductChanges);
    await queryRunner.query(chartCohorts);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
