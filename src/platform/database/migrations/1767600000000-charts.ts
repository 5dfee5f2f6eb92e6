import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartTables } from './charts/charts.sql.js';
import { chartMarks } from './charts/chart-marks.sql.js';

/** Facts and daily figures of charts, and the marks that keep them up to date. An older server still runs on it. */
export class Charts1767600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartTables);
    await queryRunner.query(chartMarks);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
