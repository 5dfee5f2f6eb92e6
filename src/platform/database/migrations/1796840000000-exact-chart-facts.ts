import type { MigrationInterface, QueryRunner } from 'typeorm';
import { exactChartFacts } from './charts/exact-chart-facts.sql.js';

/** Charts store what the key figures need, so that these need no rollup of their own. */
export class ExactChartFacts1796840000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(exactChartFacts);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
