import { Injectable } from '@nestjs/common';
import { type Statement, statement } from '../../platform/database/statement.js';
import type { ChangeRange, Dataset, DatasetName, DatasetRange, TimeRange, Value } from './dataset.model.js';
import { findDataset } from './datasets.js';
import type { ReportSnapshot } from '../../platform/database/connections/report-snapshots.service.js';

/** Rows per read. With more, the garbage collector moves them to the old generation before they are freed. */
export const BATCH = 1_000;

/** Whether a row belongs to the requested environment ($2); rows without one count as production. */
const isOf = (isSandbox: string): string => `($2::text = 'all' OR ${isSandbox} = ($2 = 'sandbox'))`;
const isSandbox = (column: string): string => `(${column} IS NOT DISTINCT FROM 'sandbox')`;

/** Expressions of columns that no table has under the same name. */
const expressions: Partial<Record<DatasetName, Record<string, string>>> = {
  transactions: {
    rc_original_app_user_id: 'c.original_app_user_id',
    rc_last_seen_app_user_id_alias: 'c.last_seen_app_user_id',
    entitlement_identifiers: 'array_to_json(t.entitlement_identifiers)',
    reserved_subscriber_attributes: 'c.reserved_attributes',
    custom_subscriber_attributes: 'c.custom_attributes',
    platform: 'c.last_seen_platform',
    experiment_id: 'c.experiment_id',
    experiment_variant: 'c.experiment_variant',
    updated_at: 'greatest(t.changed_at, c.tx_changed_at)',
    first_seen_time: 'c.first_seen_at',
  },
  customers: { aliases: 'array_to_json(t.aliases)', updated_at: 't.changed_at' },
  subscriptions: {
    entitlement_identifiers: 'array_to_json(t.entitlement_identifiers)',
    updated_at: 't.changed_at',
  },
  events: {
    sent: `t.delivery = 'send'`,
    // The bytes of a webhook without customer information.
    body: `'{"api_version":"1.0","event":' || t.body::text || '}'`,
  },
  ledger: { store_transaction_id: 't.store_ids[1]', product_identifier: 't.store_product_id' },
};

function selected(name: DatasetName): string {
  const own = expressions[name] ?? {};
  const { columns } = findDataset(name) as Dataset;
  return columns.map((column) => own[column.name] ?? `t.${column.name}`).join(', ');
}

/** Checks of statements read the query under its own name, because they do not look into cursors. */
const cursor = (name: string, query: string): Statement => {
  const { text } = statement(`datasets.${name}`, query);
  return statement(`datasets.open_${name}`, `DECLARE dataset NO SCROLL CURSOR FOR ${text}`);
};

const customer = 'c.project_id = $1 AND c.customer_id = t.customer_id';
const updatedAt = 'greatest(t.changed_at, c.tx_changed_at)';

const allTransactions = cursor(
  'all_transactions',
  `SELECT ${selected('transactions')}
   FROM report_transactions t JOIN report_customers c ON ${customer}
   WHERE t.project_id = $1 AND ${isOf('t.is_sandbox')} AND t.seq <= $3
     AND ($4::timestamptz IS NULL OR ${updatedAt} > $4)
   ORDER BY t.seq, t.purchase_id, t.period_key, t.product`,
);

/** A transaction changes with its own columns, or with those of its customer. */
const changedTransactions = cursor(
  'changed_transactions',
  `SELECT ${selected('transactions')}
   FROM (
     SELECT own.purchase_id, own.period_key, own.product FROM report_transactions own
     WHERE own.project_id = $1 AND own.seq > $3 AND own.seq <= $4
     UNION ALL
     SELECT other.purchase_id, other.period_key, other.product
     FROM report_customers mover JOIN report_transactions other
       ON other.project_id = $1 AND other.customer_id = mover.customer_id
     WHERE mover.project_id = $1 AND mover.tx_seq > $3 AND mover.tx_seq <= $4
       AND NOT (other.seq > $3 AND other.seq <= $4)
   ) changed
   JOIN report_transactions t ON t.project_id = $1 AND t.purchase_id = changed.purchase_id
     AND t.period_key = changed.period_key AND t.product = changed.product
   JOIN report_customers c ON ${customer}
   WHERE ${isOf('t.is_sandbox')} AND ($5::timestamptz IS NULL OR ${updatedAt} > $5)
   ORDER BY t.seq, t.purchase_id, t.period_key, t.product`,
);

const customers = cursor(
  'customers',
  `SELECT ${selected('customers')} FROM report_customers t
   WHERE t.project_id = $1 AND t.seq > $2 AND t.seq <= $3 AND ($4::timestamptz IS NULL OR t.changed_at > $4)
   ORDER BY t.seq, t.customer_id`,
);

const subscriptions = cursor(
  'subscriptions',
  `SELECT ${selected('subscriptions')} FROM report_subscriptions t
   WHERE t.project_id = $1 AND ${isOf(isSandbox('t.environment'))} AND t.seq > $3 AND t.seq <= $4
     AND ($5::timestamptz IS NULL OR t.changed_at > $5)
   ORDER BY t.seq, t.id`,
);

/** Each key once, without keys that exist again. */
const deletions = cursor(
  'deletions',
  `SELECT t.dataset, t.key, max(t.deleted_at)
   FROM report_deletions t
   WHERE t.project_id = $1 AND t.seq > $2 AND t.seq <= $3 AND ($4::timestamptz IS NULL OR t.deleted_at > $4)
     AND t.dataset = ANY ($5::text[])
     AND (t.dataset <> 'transactions' OR NOT EXISTS (
       SELECT 1 FROM report_transactions r
       WHERE r.project_id = $1 AND r.store = t.key ->> 'store' AND r.is_sandbox = (t.key ->> 'is_sandbox')::boolean
         AND r.store_transaction_id = t.key ->> 'store_transaction_id'
         AND r.renewal_number = (t.key ->> 'renewal_number')::int))
     AND (t.dataset <> 'customers' OR NOT EXISTS (
       SELECT 1 FROM report_customers r WHERE r.project_id = $1 AND r.customer_id = t.key ->> 'id'))
     AND (t.dataset <> 'subscriptions' OR NOT EXISTS (
       SELECT 1 FROM report_subscriptions r WHERE r.project_id = $1 AND r.id = t.key ->> 'id'))
   GROUP BY t.dataset, t.key
   ORDER BY max(t.seq), t.dataset, t.key`,
);

const events = cursor(
  'events',
  `SELECT ${selected('events')} FROM events t
   WHERE t.project_id = $1 AND ${isOf(isSandbox('t.environment'))} AND t.created_at >= $3
     AND ($4::timestamptz IS NULL OR t.created_at < $4)
   ORDER BY t.created_at, t.id`,
);

const ledger = cursor(
  'ledger',
  `SELECT ${selected('ledger')} FROM store_transactions t
   WHERE t.project_id = $1 AND ${isOf(isSandbox('t.environment'))} AND t.recorded_at >= $3
     AND ($4::timestamptz IS NULL OR t.recorded_at < $4)
   ORDER BY t.recorded_at, t.id`,
);

const fetch = statement('datasets.fetch', `FETCH ${BATCH} FROM dataset`);
const close = statement('datasets.close', 'CLOSE dataset');

const deletable: readonly DatasetName[] = ['transactions', 'customers', 'subscriptions'];

/** Reads the tables of data sets. A snapshot has one cursor. */
@Injectable()
export class DatasetsRepository {
  async open(
    snapshot: ReportSnapshot,
    projectId: string,
    name: DatasetName,
    range: DatasetRange,
  ): Promise<void> {
    const [command, values] =
      'fromMs' in range ? byTime(projectId, name, range) : byChange(projectId, name, range);
    await snapshot.texts(command, values);
  }

  fetch(snapshot: ReportSnapshot): Promise<Value[][]> {
    return snapshot.texts(fetch, []);
  }

  async close(snapshot: ReportSnapshot): Promise<void> {
    await snapshot.texts(close, []);
  }
}

type Opening = [Statement, unknown[]];

function byChange(projectId: string, name: DatasetName, range: ChangeRange): Opening {
  const { environment, fromSeq, toSeq, changedAfterMs } = range;
  const after = changedAfterMs === undefined ? null : new Date(changedAfterMs);
  switch (name) {
    case 'transactions':
      return fromSeq === 0
        ? [allTransactions, [projectId, environment, toSeq, after]]
        : [changedTransactions, [projectId, environment, fromSeq, toSeq, after]];
    case 'customers':
      return [customers, [projectId, fromSeq, toSeq, after]];
    case 'subscriptions':
      return [subscriptions, [projectId, environment, fromSeq, toSeq, after]];
    case 'deletions':
      return [deletions, [projectId, fromSeq, toSeq, after, range.deletionsOf ?? deletable]];
    case 'events':
    case 'ledger':
      throw new Error(`${name} has no counter of changes`);
  }
}

function byTime(projectId: string, name: DatasetName, { environment, fromMs, toMs }: TimeRange): Opening {
  const values = [projectId, environment, new Date(fromMs), toMs === null ? null : new Date(toMs)];
  if (name === 'events') return [events, values];
  if (name === 'ledger') return [ledger, values];
  throw new Error(`${name} is not read by time`);
}
