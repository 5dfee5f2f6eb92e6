import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import { changeTables } from '../giving-way.js';
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

/** Of a plain or a partitioned table. A kind stays when its last event is erased: the log then finds nothing of it. */
export const createKindTrigger = `
  CREATE OR REPLACE FUNCTION note_event_kind() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO event_kinds (project_id, type, environment, app_id)
    VALUES (NEW.project_id, NEW.type, coalesce(NEW.environment, ''), coalesce(NEW.app_id, '')) ON CONFLICT DO NOTHING;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER events_kind_noted BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION note_event_kind();`;

const kind = `e.project_id, e.type, coalesce(e.environment, ''), coalesce(e.app_id, '')`;

/** Steps through an index from one kind to the next: few, however many events there are. */
const noteKinds = `
  WITH RECURSIVE kinds (project_id, type, environment, app_id) AS (
    (SELECT ${kind} FROM events e ORDER BY ${kind} LIMIT 1)
    UNION ALL
    SELECT next.* FROM kinds k CROSS JOIN LATERAL (
      SELECT ${kind} FROM events e WHERE (${kind}) > (k.project_id, k.type, k.environment, k.app_id)
      ORDER BY ${kind} LIMIT 1) next
  )
  INSERT INTO event_kinds (project_id, type, environment, app_id) SELECT * FROM kinds ON CONFLICT DO NOTHING`;

/**
 * The slow part of partitioning events and ledger: the keys of all rows in tables of their own, what the log needs so as
 * not to look into each month, and that no row is of a later month than the first partition will take. Everybody goes
 * on reading and writing. Each statement is a transaction of its own and can be run again.
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
      -- What a project has events of; '' for none.
      CREATE TABLE IF NOT EXISTS event_kinds (
        project_id text NOT NULL,
        type text NOT NULL,
        environment text NOT NULL,
        app_id text NOT NULL,
        PRIMARY KEY (project_id, type, environment, app_id)
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
    // What needs locks comes first; what takes long, last.
    for (const keys of [keysOfEvents, keysOfLedger]) {
      await changeTables(queryRunner, [keys.table], createTriggers(keys));
    }
    await changeTables(queryRunner, ['events'], createKindTrigger);
    await boundFirstMonths(queryRunner, { name: 'events', column: 'created_at' });
    await boundFirstMonths(queryRunner, { name: 'store_transactions', column: 'recorded_at' });
    await queryRunner.query(noteKinds);
    await createIndexConcurrently(
      queryRunner,
      'events_ahead',
      'ON events (project_id, occurred_at) WHERE occurred_at > created_at',
    );
    for (const keys of [keysOfEvents, keysOfLedger]) await noteKeys(queryRunner, keys);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
