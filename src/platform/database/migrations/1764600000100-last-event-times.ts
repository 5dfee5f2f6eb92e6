import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeTables } from '../giving-way.js';

/** The time of a customer's last event, which the next one must not be before. Null until the next event. */
export class LastEventTimes1764600000100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await changeTables(
      queryRunner,
      ['customers'],
      'ALTER TABLE customers ADD COLUMN IF NOT EXISTS last_event_at timestamptz(3)',
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
