import type { Config } from '../config/config.js';

export interface Unfinished {
  condition: string;
  /** It may come true again. Found by an index of the partition: looked at while everybody waits. */
  comesBack: boolean;
}

/** A table that is partitioned by UTC month. */
export interface PartitionedTable {
  name: string;
  /** The time that tells which month a row belongs to. */
  column: string;
  /** Of each partition, percent. */
  fillfactor: number;
  /** Days for which a row is kept at least; null: for good. */
  retentionDays(config: Config): number | null;
  /** What keeps a row whatever its age: each a condition on the row `r`. */
  unfinished?: readonly Unfinished[];
  /** Its rows are of apps, and indexed by project, app and time; of others by project and time. */
  isOfApps?: boolean;
  /** Has the unique key of each row, its `id` and its time; triggers keep it. */
  keysTable?: string;
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
  {
    name: 'store_notifications',
    column: 'received_at',
    fillfactor: 80,
    retentionDays: () => 90,
    unfinished: [
      { condition: 'r.due_at IS NOT NULL', comesBack: true },
      {
        condition: `EXISTS (SELECT 1 FROM store_notification_copies c
          WHERE c.project_id = r.project_id AND c.notification_id = r.id AND c.due_at IS NOT NULL)`,
        comesBack: false,
      },
    ],
    isOfApps: true,
    keysTable: 'store_notification_keys',
  },
];
