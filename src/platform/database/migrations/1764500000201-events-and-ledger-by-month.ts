import type { MigrationInterface, QueryRunner } from 'typeorm';
import { endAutovacuum } from '../giving-way.js';
import { createTriggers, dropTriggers } from '../keys-apart.js';
import { type MonthlyTable, partitionByMonth } from '../monthly-partitions.js';
import { createKindTrigger, keysOfEvents, keysOfLedger } from './1764500000200-keys-of-events-and-ledger.js';

const events: MonthlyTable = {
  name: 'events',
  column: 'created_at',
  fillfactor: 100,
  keys: `
    ALTER TABLE events ADD PRIMARY KEY (project_id, created_at, id);
    CREATE INDEX events_by_customer ON events (project_id, customer_id, occurred_at DESC, id);
    CREATE INDEX events_by_other_customer ON events (project_id, other_customer_id, occurred_at DESC, id)
      WHERE other_customer_id IS NOT NULL;
    CREATE INDEX events_by_kind ON events (project_id, type, coalesce(environment, ''), coalesce(app_id, ''),
      occurred_at DESC, created_at DESC, id DESC);
    CREATE INDEX events_by_id ON events (project_id, id);
    CREATE INDEX events_ahead ON events (project_id, occurred_at) WHERE occurred_at > created_at;`,
};

/**
 * Its primary key has the name of the constraint by which servers of the version before leave repetitions out: they
 * may go on writing until the last of them is replaced. The trigger has left repetitions out by then.
 */
const ledger: MonthlyTable = {
  name: 'store_transactions',
  column: 'recorded_at',
  fillfactor: 100,
  keys: `
    ALTER TABLE store_transactions ADD CONSTRAINT store_transactions_once PRIMARY KEY (project_id, recorded_at, id);
    CREATE INDEX store_transactions_by_subscription ON store_transactions (project_id, subscription_id, purchased_at)
      WHERE subscription_id IS NOT NULL;
    CREATE INDEX store_transactions_by_purchase ON store_transactions (project_id, purchase_id)
      WHERE purchase_id IS NOT NULL;
    CREATE INDEX store_transactions_feed ON store_transactions (project_id, environment, purchased_at DESC, id DESC);
    CREATE INDEX store_transactions_by_customer
      ON store_transactions (project_id, customer_id, purchased_at DESC, id DESC);
    CREATE INDEX store_transactions_by_id ON store_transactions (project_id, id);
    CREATE INDEX store_transactions_unconverted ON store_transactions (project_id, currency)
      WHERE usd_micros IS NULL AND amount_micros IS NOT NULL;`,
};

/** Events and the ledger by month. What counts once for ever does so by `event_keys` and `store_transaction_keys`. */
export class EventsAndLedgerByMonth1764500000201 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await endAutovacuum(queryRunner, ['store_transactions', 'events']);
    // In the order in which purchases are saved, so that nobody who has the one waits for the other.
    await queryRunner.query('LOCK TABLE store_transactions, events IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(dropTriggers(keysOfLedger) + dropTriggers(keysOfEvents));
    await queryRunner.query('DROP TRIGGER events_kind_noted ON events');
    await partitionByMonth(queryRunner, ledger);
    await partitionByMonth(queryRunner, events);
    await queryRunner.query(createTriggers(keysOfLedger) + createTriggers(keysOfEvents));
    await queryRunner.query(createKindTrigger);
    // That of the ledger stays for a while: servers of the version before look a refunded purchase up by it.
    await queryRunner.query('ALTER TABLE events_first DROP CONSTRAINT events_once_first');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
