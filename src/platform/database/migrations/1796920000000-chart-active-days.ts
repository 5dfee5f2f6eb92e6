import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartActiveDays } from './charts/chart-active-days.sql.js';

/** Active customers are counted from sums of past days. They are built in the background. */
export class ChartActiveDays1796920000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartActiveDays);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
