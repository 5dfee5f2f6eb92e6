import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds the trials that still run, which the conversion of trials leaves open. */
export class ChartTrialsIndex1768950000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'chart_facts_ending_trials',
      'ON chart_facts (project_id, environment, at) WHERE trials < 0',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
