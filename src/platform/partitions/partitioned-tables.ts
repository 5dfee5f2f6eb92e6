import type { Config } from '../config/config.js';

export interface Unfinished {
  condition: string;
  /** The condition may become true again, so the check while holding the table's lock needs an index. */
  comesBack: boolean;
}

export interface KeysTable {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
}

/** A table partitioned by UTC month. */
export interface PartitionedTable {
  name: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** The time that determines a row's month. */
  column: string;
  /** Fill factor of each partition, in percent. */
  fillfactor: number;
  /** Minimum number of days for which a row is stored; null: forever. */
  retentionDays(config: Config): number | null;
  /** Conditions on the row `r` that prevent its deletion, whatever its age. */
  unfinished?: readonly Unfinished[];
  /** Indexed by project, app and time. Other tables: by project and time. */
  isOfApps?: boolean;
  /** Contains each row's unique key, its `id` and its time. Triggers maintain it. */
  keys?: KeysTable;
}

export const partitionedTables: readonly PartitionedTable[] = [
  {
    name: 'webhook_deliveries',
    key: ['project_id', 'created_at', 'id'],
    column: 'created_at',
    fillfactor: 70,
    retentionDays: (config) => config.webhookLogDays,
  },
  {
    name: 'webhook_attempts',
    key: ['project_id', 'attempted_at', 'delivery_id', 'attempt'],
    column: 'attempted_at',
    fillfactor: 100,
    retentionDays: (config) => config.webhookLogDays,
  },
  {
    name: 'events',
    key: ['project_id', 'created_at', 'id'],
    column: 'created_at',
    fillfactor: 100,
    retentionDays: () => null,
  },
  {
    name: 'store_transactions',
    key: ['project_id', 'recorded_at', 'id'],
    column: 'recorded_at',
    fillfactor: 100,
    retentionDays: () => null,
  },
  {
    name: 'sdk_events',
    key: ['project_id', 'at', 'id'],
    column: 'at',
    fillfactor: 100,
    retentionDays: (config) => config.sdkEventDays,
  },
  {
    name: 'audit_logs',
    key: ['project_id', 'occurred_at', 'id'],
    column: 'occurred_at',
    fillfactor: 100,
    retentionDays: () => null,
  },
  {
    name: 'organization_audit_logs',
    key: ['org_id', 'occurred_at', 'id'],
    column: 'occurred_at',
    fillfactor: 100,
    retentionDays: () => null,
  },
  {
    name: 'store_notifications',
    key: ['project_id', 'id', 'received_at'],
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
    keys: { table: 'store_notification_keys', key: ['project_id', 'app_id', 'dedupe_key'] },
  },
];
