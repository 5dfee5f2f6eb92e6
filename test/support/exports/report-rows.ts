import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { DataSource } from 'typeorm';

/** The transactions of the fixture, as a file has them. */
export const fixtureCsv = readFileSync(new URL('transactions-5.csv', import.meta.url), 'utf8');

type Row = Record<string, string | null>;

/** Columns of the file that belong to the customer, and what the table of customers calls them. */
const ofCustomer: Record<string, string> = {
  rc_original_app_user_id: 'original_app_user_id',
  rc_last_seen_app_user_id_alias: 'last_seen_app_user_id',
  reserved_subscriber_attributes: 'reserved_attributes',
  custom_subscriber_attributes: 'custom_attributes',
  platform: 'last_seen_platform',
  experiment_id: 'experiment_id',
  experiment_variant: 'experiment_variant',
  first_seen_time: 'first_seen_at',
};
const times = /_(time|at)$/;

function typed([name, value]: [string, string | null]): [string, unknown] {
  if (value === null || value === '') return [name, null];
  if (times.test(name)) return [name, `${value}Z`];
  return [
    name,
    name === 'entitlement_identifiers' || name.endsWith('_attributes') ? JSON.parse(value) : value,
  ];
}

/** Adds rows to a report table of a project. Values are JSON: columns that are left out are null. */
export async function addReportRows(
  dataSource: DataSource,
  projectId: string,
  table: 'report_transactions' | 'report_customers' | 'report_subscriptions' | 'report_deletions',
  rows: object[],
): Promise<void> {
  await dataSource.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`, [
    JSON.stringify(rows.map((row) => ({ project_id: projectId, hash: '', tx_hash: '', ...row }))),
  ]);
}

/** Marks the report rows of a project as built. */
export async function markBuilt(dataSource: DataSource, projectId: string, seq: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO report_projects (project_id, enabled, seq, built_at, code_version) VALUES ($1, true, $2, now(), 1)
     ON CONFLICT (project_id) DO UPDATE SET enabled = true, seq = $2, built_at = now()`,
    [projectId, seq],
  );
}

/** Adds the rows of the fixture to the report tables, in the order of the file, and marks them as built. */
export async function addFixtureRows(dataSource: DataSource, projectId: string): Promise<void> {
  const rows = parse<Row>(fixtureCsv, { columns: true });
  const customers = new Map<string, object>();
  const transactions = rows.map((row, index) => {
    const id = `cus_${row.rc_original_app_user_id}`;
    const { updated_at, ...columns } = row;
    const mine = Object.entries(columns).filter(([name]) => !(name in ofCustomer));
    const customer = Object.entries(columns).flatMap(([name, value]): [string, unknown][] => {
      const column = ofCustomer[name];
      return column === undefined ? [] : [[column, typed([column, value])[1]]];
    });
    customers.set(id, {
      ...Object.fromEntries(customer),
      customer_id: id,
      aliases: [row.rc_original_app_user_id],
      seq: 1,
      tx_seq: 1,
      changed_at: `${updated_at}Z`,
      tx_changed_at: `${updated_at}Z`,
    });
    return {
      ...Object.fromEntries(mine.map(typed)),
      purchase_id: row.original_store_transaction_id,
      period_key: row.store_transaction_id,
      product: '',
      customer_id: id,
      seq: index + 1,
      changed_at: '2026-02-01T00:00:00Z',
    };
  });
  await addReportRows(dataSource, projectId, 'report_customers', [...customers.values()]);
  await addReportRows(dataSource, projectId, 'report_transactions', transactions);
  await markBuilt(dataSource, projectId, rows.length);
}

/** Changes the country of one transaction of the fixture, and deletes another one. */
export async function changeFixtureRows(dataSource: DataSource, projectId: string): Promise<void> {
  await dataSource.query(
    `UPDATE report_transactions SET seq = 15, country = 'FR' WHERE project_id = $1 AND store_transaction_id = '1003'`,
    [projectId],
  );
  await dataSource.query(
    `DELETE FROM report_transactions WHERE project_id = $1 AND store_transaction_id = '1006'`,
    [projectId],
  );
  const key = { store: 'app_store', store_transaction_id: '1006', renewal_number: 1, is_sandbox: false };
  await addReportRows(dataSource, projectId, 'report_deletions', [
    { seq: 16, dataset: 'transactions', key, deleted_at: new Date() },
  ]);
  await markBuilt(dataSource, projectId, 16);
}
