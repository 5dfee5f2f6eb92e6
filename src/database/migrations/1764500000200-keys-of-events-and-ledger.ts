import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTriggers, type KeysApart, noteKeys } from '../keys-apart.js';
import { boundFirstMonths } from '../monthly-partitions.js';

/** What makes an event, and a movement of money, count once for ever. */
export const keysOfEvents: KeysApart = {
  table: 'events',
  keysTable: 'event_keys',
  key: ['project_id', 'dedupe_key'],
  rows: ['project_id', 'created_at', 'id'],
  repeated: 'fails',
};

export const keysOfLedger: KeysApart = {
  table: 'store_transactions',
  keysTable: 'store_transaction_keys',
  key: ['project_id', 'store', 'environment', 'owner_key', 'period_key', 'kind', 'kind_seq'],
  place: ['recorded_at', 'id'],
  rows: ['project_id', 'recorded_at', 'id'],
  repeated: 'is_left_out',
};

/**
 * The slow part of partitioning events and ledger: the keys of all rows in tables of their own, and that no row is of
 * a later month than the first partition will take. Everybody goes on reading and writing. Each statement is a
 * transaction of its own and can be run again.
 */
export class KeysOfEventsAndLedger1764500000200 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS event_keys (
        project_id text NOT NULL,
        dedupe_key text NOT NULL,
        PRIMARY KEY (project_id, dedupe_key)
      );
      CREATE TABLE IF NOT EXISTS store_transaction_keys (
        project_id text NOT NULL,
        store text NOT NULL,
        environment text NOT NULL,
        owner_key text NOT NULL,
        period_key text NOT NULL,
        kind text NOT NULL,
        kind_seq integer NOT NULL,
        recorded_at timestamptz(3) NOT NULL,
        id text NOT NULL,
        PRIMARY KEY (project_id, store, environment, owner_key, period_key, kind, kind_seq)
      )`);
    for (const keys of [keysOfEvents, keysOfLedger]) {
      await queryRunner.query(createTriggers(keys));
      await noteKeys(queryRunner, keys);
    }
    await boundFirstMonths(queryRunner, { name: 'events', column: 'created_at' });
    await boundFirstMonths(queryRunner, { name: 'store_transactions', column: 'recorded_at' });
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
