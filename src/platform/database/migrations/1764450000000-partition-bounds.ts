import type { MigrationInterface, QueryRunner } from 'typeorm';
import { boundFirstMonths } from '../monthly-partitions.js';

/** The tables that the next migration partitions, and the column of each that tells the month. */
const tables = {
  webhook_deliveries: 'created_at',
  webhook_attempts: 'attempted_at',
  audit_logs: 'occurred_at',
};

/**
 * The slow part of partitioning: that no row is of a later month than the first partition will take, which is found
 * out while everybody goes on reading and writing, and the index by which replays of an event are found (short; it
 * only waits for one reading of the table). Each statement is a transaction of its own and can be run again.
 */
export class PartitionBounds1764450000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, column] of Object.entries(tables))
      await boundFirstMonths(queryRunner, { name, column });
    await queryRunner.query(`
      CREATE INDEX IF NOT EXISTS webhook_deliveries_replayed ON webhook_deliveries (project_id, event_id)
        WHERE replay`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
