import type { MigrationInterface, QueryRunner } from 'typeorm';
import { chartAttributes } from './charts/chart-attributes.sql.js';

/** Attributes of customers that a project chose for its charts. An older server still runs on it. */
export class ChartAttributes1768700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(chartAttributes);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
