import type { DataSource } from 'typeorm';
import { ownTables } from '../../platform/database/schema/own-tables.js';
import { partitionedTables } from '../../platform/partitions/partitioned-tables.js';
import { type Finding, finding } from './finding.js';

/** Triggers of a partition are disabled separately from those of its table. */
const DISABLED_TRIGGERS = `SELECT DISTINCT quote_ident(c.relname) AS "table",
    CASE WHEN t.tgisinternal THEN NULL ELSE quote_ident(t.tgname) END AS name
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
  WHERE t.tgenabled IN ('D', 'R') AND c.relnamespace = 'public'::regnamespace
    AND coalesce(parent.relname, c.relname) = ANY ($1)
  ORDER BY 1, 2`;

interface DisabledTrigger {
  table: string;
  /** Null for foreign keys. */
  name: string | null;
}

export async function examineTriggers(dataSource: DataSource): Promise<Finding[]> {
  const disabled = await dataSource.query<DisabledTrigger[]>(DISABLED_TRIGGERS, [ownTables]);
  if (disabled.length === 0) return [finding('ok', 'All triggers and foreign keys work')];
  return disabled.map(({ table, name }) => {
    const enable = `ALTER TABLE ${table} ENABLE TRIGGER ${name ?? 'ALL'}`;
    return finding(
      'failure',
      name === null
        ? `The foreign keys of ${table} are not checked: ${enable}`
        : `The trigger ${name} of ${table} is disabled: ${enable}`,
    );
  });
}

/** Tables named like a partition that are detached or being detached. `first`: the other partitions'. */
const DETACHED = `SELECT parent.relname::text AS "table", c.relname::text AS partition,
    substring(c.relname FROM length(parent.relname) + 2) AS suffix,
    i.inhrelid IS NOT NULL AS "isPending",
    (SELECT min(substring(pg_get_expr(o.relpartbound, o.oid) FROM 'FROM \\(''([^'']+)''\\)')::timestamptz)
     FROM pg_inherits a JOIN pg_class o ON o.oid = a.inhrelid WHERE a.inhparent = parent.oid) AS first
  FROM pg_class parent
  JOIN pg_class c ON c.relnamespace = parent.relnamespace AND c.relkind = 'r'
    AND c.relname ~ ('^' || parent.relname || '_(\\d{4}_\\d{2}|first|default)$')
  LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND i.inhparent = parent.oid
  WHERE parent.relnamespace = 'public'::regnamespace AND parent.relkind = 'p' AND parent.relname = ANY ($1)
    AND (i.inhrelid IS NULL OR i.inhdetachpending)
  ORDER BY c.relname`;

interface DetachedPartition {
  table: string;
  partition: string;
  suffix: string;
  isPending: boolean;
  first: Date | null;
}

function boundsOf({ suffix, first }: DetachedPartition): string {
  if (suffix === 'default') return 'DEFAULT';
  if (suffix === 'first') return `FOR VALUES FROM (MINVALUE) TO ('${first?.toISOString() ?? '…'}')`;
  const [year = 0, month = 1] = suffix.split('_').map(Number);
  const [from, to] = [month - 1, month].map((index) => new Date(Date.UTC(year, index)).toISOString());
  return `FOR VALUES FROM ('${from}') TO ('${to}')`;
}

/** Queries miss the rows of a detached partition. */
export async function examinePartitions(dataSource: DataSource): Promise<Finding[]> {
  const names = partitionedTables.map(({ name }) => name);
  const detached = await dataSource.query<DetachedPartition[]>(DETACHED, [names]);
  if (detached.length === 0) return [finding('ok', 'All partitions are attached')];
  return detached.map((row) => {
    const { table, partition, isPending } = row;
    const finish = isPending ? `ALTER TABLE ${table} DETACH PARTITION ${partition} FINALIZE; ` : '';
    const attach = `ALTER TABLE ${table} ATTACH PARTITION ${partition} ${boundsOf(row)}`;
    return finding(
      'failure',
      `${partition} is detached, so its rows are missing from ${table}: ${finish}${attach}`,
    );
  });
}
