import type { TestServer } from './test-server.js';

const columns = {
  webhook_deliveries: 'lease_until',
  webhook_circuits: 'probe_lease_until',
  store_notifications: 'lease_until',
  store_notification_copies: 'lease_until',
  store_refreshes: 'lease_until',
  store_tasks: 'lease_until',
  idempotency_keys: 'lease_until',
  refund_requests: 'lease_until',
  mails: 'lease_until',
  digests: 'lease_until',
  export_runs: 'lease_until',
  projects: 'purge_lease_until',
} as const;

/** Leases go by the database's clock, which no test can move: ends those that last, as if their time had passed. */
export async function expireLeases(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  table: keyof typeof columns,
): Promise<void> {
  const column = columns[table];
  await dataSource.query(
    `UPDATE ${table} SET ${column} = now() - interval '1 second' WHERE ${column} > now()`,
  );
}
