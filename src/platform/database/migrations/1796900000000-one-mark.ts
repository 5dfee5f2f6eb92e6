import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneMark } from './charts/one-mark.sql.js';

/** A new customer's first purchase writes one mark for each job, and few entries of the index of tags. */
export class OneMark1796900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(oneMark);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
