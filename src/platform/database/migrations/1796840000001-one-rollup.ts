import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneRollup } from './charts/one-rollup.sql.js';

/** Purchases are marked for the charts only, and the key figures read the facts of charts. */
export class OneRollup1796840000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(oneRollup);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
