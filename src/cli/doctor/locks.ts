import type { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { poolConnections } from './connections.js';
import { poolerBefore } from './pooler.js';
import { type Finding, finding } from './finding.js';

/**
 * Locks of the statements that merge two customers, which read most tables: a fixed number, plus some for each month.
 */
const LOCKS = { always: 110, perMonth: 18 };

/**
 * Estimates locks for all statements that a server can run at once (or the current connections), on every month they
 * read.
 */
export async function examineLocks(dataSource: DataSource, config: Config): Promise<Finding[]> {
  const [row] = await dataSource.query<
    { transactions: number; perTransaction: number; months: number; connections: number }[]
  >(
    `SELECT current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int AS transactions,
       current_setting('max_locks_per_transaction')::int AS "perTransaction",
       (SELECT count(*)::int FROM pg_inherits WHERE inhparent = to_regclass('events')) AS months,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections`,
  );
  const { transactions = 1, perTransaction = 0, months = 0, connections = 0 } = row ?? {};
  const ofServers = poolConnections(config, await poolerBefore(config)) ?? 0;
  const atOnce = Math.max(ofServers, connections);
  const needed = atOnce * (LOCKS.always + LOCKS.perMonth * months);
  const room = `PostgreSQL has room for ${transactions * perTransaction} locks`;
  if (needed <= transactions * perTransaction) return [finding('ok', room)];
  return [
    finding(
      'warning',
      `${room}, and with ${months} months of events ${atOnce} connections can need ${needed}: set max_locks_per_transaction ` +
        `to ${64 * Math.ceil(needed / transactions / 64)} or more, on replicas first`,
    ),
  ];
}
