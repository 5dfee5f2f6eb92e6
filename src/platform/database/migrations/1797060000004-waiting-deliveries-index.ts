import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createPartitionedIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds the deliveries that wait for attributes of a customer. */
export class WaitingDeliveriesIndex1797060000004 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createPartitionedIndexConcurrently(
      queryRunner,
      'webhook_deliveries_waiting',
      'webhook_deliveries',
      "(project_id, customer_id) WHERE status = 'waiting'",
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
