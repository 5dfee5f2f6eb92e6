import type { Config } from '../config/config.js';

/** A table that is partitioned by UTC month. */
export interface PartitionedTable {
  name: string;
  /** The time that tells which month a row belongs to. */
  column: string;
  /** Of each partition, percent. */
  fillfactor: number;
  /** Days for which a row is kept at least; null: for good. */
  retentionDays(config: Config): number | null;
}

export const partitionedTables: readonly PartitionedTable[] = [
  {
    name: 'webhook_deliveries',
    column: 'created_at',
    fillfactor: 70,
    retentionDays: (config) => config.webhookLogDays,
  },
  {
    name: 'webhook_attempts',
    column: 'attempted_at',
    fillfactor: 100,
    retentionDays: (config) => config.webhookLogDays,
  },
  { name: 'events', column: 'created_at', fillfactor: 100, retentionDays: () => null },
  { name: 'store_transactions', column: 'recorded_at', fillfactor: 100, retentionDays: () => null },
  { name: 'audit_logs', column: 'occurred_at', fillfactor: 100, retentionDays: () => null },
];
