import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries that wait for attributes of their customer, and those that are skipped. Existing rows have one of the
 * earlier statuses, so they are not read again.
 */
export class DeliveryReasons1797060000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE webhook_deliveries
         ADD COLUMN reason text,
         ADD COLUMN waits_for text[],
         ADD COLUMN wait_until timestamptz(3),
         ADD COLUMN steps_done smallint NOT NULL DEFAULT 0,
         ADD COLUMN may_be_repeated boolean NOT NULL DEFAULT false,
         DROP CONSTRAINT webhook_deliveries_status_check,
         ADD CONSTRAINT webhook_deliveries_status_check
           CHECK (status IN ('pending', 'waiting', 'delivered', 'failed', 'skipped')) NOT VALID,
         ADD CONSTRAINT webhook_deliveries_waiting_check
           CHECK (status <> 'waiting' OR (waits_for IS NOT NULL AND wait_until IS NOT NULL AND customer_id IS NOT NULL
             AND lease_until IS NULL)) NOT VALID,
         ADD CONSTRAINT webhook_deliveries_skipped_check CHECK (status <> 'skipped' OR reason IS NOT NULL) NOT VALID`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
