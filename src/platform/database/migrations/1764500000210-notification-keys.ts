import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import { changeTables } from '../giving-way.js';
import { createTriggers, noteKeys } from '../keys-apart.js';
import { boundFirstMonths } from '../monthly-partitions.js';
import { notificationKeys } from './store-notifications/notification-keys.js';

/**
 * What the next migration needs to partition the inbox by month: its unique key in a table of its own, to which copies
 * belong from now on, the primary key that it will have, and that no row is of a later month than its first partition
 * will take. Everybody goes on writing meanwhile. Can be run again.
 */
export class NotificationKeys1764500000210 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS store_notification_keys (
        project_id text NOT NULL,
        app_id text NOT NULL,
        dedupe_key text NOT NULL,
        id text NOT NULL,
        received_at timestamptz(3) NOT NULL,
        PRIMARY KEY (project_id, app_id, dedupe_key),
        CONSTRAINT store_notification_keys_by_id UNIQUE (project_id, id)
      );
      CREATE INDEX IF NOT EXISTS store_notification_keys_by_time ON store_notification_keys (project_id, received_at)`);
    await changeTables(queryRunner, ['store_notifications'], createTriggers(notificationKeys));
    await boundFirstMonths(queryRunner, { name: 'store_notifications', column: 'received_at' });
    await noteKeys(queryRunner, notificationKeys);
    await changeTables(
      queryRunner,
      ['store_notification_copies'],
      `ALTER TABLE store_notification_copies DROP CONSTRAINT IF EXISTS store_notification_copies_of_key,
        ADD CONSTRAINT store_notification_copies_of_key FOREIGN KEY (project_id, notification_id)
          REFERENCES store_notification_keys (project_id, id) ON DELETE CASCADE NOT VALID`,
    );
    await changeTables(
      queryRunner,
      ['store_notification_copies'],
      'ALTER TABLE store_notification_copies VALIDATE CONSTRAINT store_notification_copies_of_key',
    );
    await createIndexConcurrently(
      queryRunner,
      'store_notifications_by_id',
      'ON store_notifications (project_id, id, received_at)',
      { unique: true },
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
