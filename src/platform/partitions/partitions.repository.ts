import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor, type Transaction } from '../database/database.service.js';
import { longStatement, statement } from '../database/statement.js';
import { cleanUp } from '../jobs/batches.js';
import { type Month, nameOf, type Partition, startOf } from './months.js';
import type { KeysTable, PartitionedTable, Unfinished } from './partitioned-tables.js';

/**
 * Timeout in ms. All later statements queue behind a waiting partition change, so it times out quickly and is
 * retried.
 */
const LOCK_TIMEOUT_MS = 300;

const partitionsOf = statement(
  'partitions.of',
  `SELECT parent.relname AS "table", quote_ident(c.relname) AS name, bound = 'DEFAULT' AS "isDefault",
     substring(bound FROM 'FROM \\(''([^'']+)''\\)')::timestamptz AS "from",
     substring(bound FROM 'TO \\(''([^'']+)''\\)')::timestamptz AS "to"
   FROM pg_class parent
   JOIN pg_inherits i ON i.inhparent = parent.oid JOIN pg_class c ON c.oid = i.inhrelid
   CROSS JOIN LATERAL pg_get_expr(c.relpartbound, c.oid) AS bound
   WHERE parent.relnamespace = current_schema()::regnamespace AND parent.relname = ANY ($1)
   ORDER BY parent.relname, "from" NULLS FIRST`,
);

/** Tables $1 without statistics, and partitions $2 with rows whose statistics say empty: plans would scan every row. */
const withoutStatistics = statement(
  'partitions.without_statistics',
  `SELECT quote_ident(c.relname) AS name FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace
     AND (c.relname = ANY ($1) AND c.relkind = 'p' AND c.reltuples < 0
       OR c.relname = ANY ($2) AND c.relkind = 'r' AND c.reltuples <= 0 AND pg_relation_size(c.oid) > 0)`,
);

/** Only one process at a time changes partitions. */
const tryLock = statement('partitions.try_lock', 'SELECT pg_try_advisory_xact_lock(746210003) AS "isMine"');

const exists = statement('partitions.exists', 'SELECT to_regclass($1) IS NOT NULL AS exists');

const hasRows = ({ name, column }: PartitionedTable) =>
  longStatement(
    `partitions.has_rows.${name}`,
    `SELECT EXISTS (SELECT 1 FROM ${name}_default WHERE ${column} >= $1 AND ${column} < $2) AS "hasRows"`,
  );

const isUnfinished = (partition: string, unfinished: readonly Unfinished[]) =>
  longStatement(
    `partitions.is_unfinished.${partition}.${unfinished.length}`,
    `SELECT ${unfinished.map(({ condition }) => `EXISTS (SELECT 1 FROM ${partition} r WHERE ${condition})`).join(' OR ')}
       AS "isUnfinished"`,
  );

/** Deletes at most $2 rows `r`, found one tenant at a time by its index. Run it with `cleanUp`. */
const deleteSome = (relation: string, key: readonly string[], where: string, isOfApps = false): string =>
  `DELETE FROM ${relation} n USING (
     SELECT head.* FROM project_anchors a CROSS JOIN LATERAL (
       SELECT ${key.map((column) => `r.${column}`).join(', ')} FROM ${relation} r
       WHERE r.project_id = a.project_id AND ${where} LIMIT $2::int) head
     WHERE a.app_id ${isOfApps ? '<>' : '='} '' LIMIT $2::int) old
   WHERE ${key.map((column) => `n.${column} = old.${column}`).join(' AND ')} RETURNING 1`;

const deleteOld = (table: PartitionedTable, partition: string) => {
  const { key, column, isOfApps = false, unfinished = [] } = table;
  const ofApp = isOfApps ? 'r.app_id = a.app_id AND ' : '';
  const isFinished = unfinished.map(({ condition }) => ` AND NOT (${condition})`).join('');
  const where = `${ofApp}r.${column} < $1${isFinished} ORDER BY r.${column}`;
  return longStatement(`partitions.delete_old.${partition}`, deleteSome(partition, key, where, isOfApps));
};

/** Keys from $3 to before $1. A time without its own partition can still have rows, in the default one. */
const deleteKeys = ({ name, column }: PartitionedTable, keys: KeysTable) =>
  longStatement(
    `partitions.delete_keys.${name}`,
    deleteSome(
      keys.table,
      keys.key,
      `r.${column} < $1 AND r.${column} >= coalesce($3::timestamptz, '-infinity')
         AND NOT EXISTS (SELECT 1 FROM ${name} n
           WHERE n.project_id = r.project_id AND n.id = r.id AND n.${column} = r.${column})`,
    ),
  );

const lock = (table: string) =>
  longStatement(`partitions.lock.${table}`, `LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`);

export type DropResult = 'dropped' | 'unfinished' | 'busy';

@Injectable()
export class PartitionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns partitions by table, with an entry for each requested table. */
  async partitionsOf(tables: readonly PartitionedTable[]): Promise<Map<PartitionedTable, Partition[]>> {
    const names = tables.map(({ name }) => name);
    const rows = await this.database.query<Partition & { table: string }>(partitionsOf, [names]);
    return new Map(tables.map((table) => [table, rows.filter((row) => row.table === table.name)]));
  }

  /** True if the default partition has rows of the month, which then cannot get its own partition. */
  async isInDefault(table: PartitionedTable, month: Month): Promise<boolean> {
    const values = [startOf(month), startOf(month + 1)];
    const [row] = await this.database.query<{ hasRows: boolean }>(hasRows(table), values);
    return row?.hasRows ?? false;
  }

  /**
   * Creates the partition detached, then attaches it, so that reads and writes continue. Returns false if another
   * process is changing partitions.
   * @throws QueryFailedError 55P03 if the table was in use for too long
   */
  create({ name, fillfactor }: PartitionedTable, month: Month): Promise<boolean> {
    const partition = `${name}_${nameOf(month)}`;
    const [from, to] = [startOf(month), startOf(month + 1)].map((bound) => bound.toISOString());
    return this.change(async (tx) => {
      const [found] = await tx.query<{ exists: boolean }>(exists, [partition]);
      if (found?.exists) return;
      const made = `CREATE TABLE ${partition} (LIKE ${name} INCLUDING ALL) WITH (fillfactor = ${fillfactor})`;
      const attached = `ALTER TABLE ${name} ATTACH PARTITION ${partition} FOR VALUES FROM ('${from}') TO ('${to}')`;
      await tx.query(longStatement(`partitions.create.${partition}`, made), []);
      await tx.query(longStatement(`partitions.attach.${partition}`, attached), []);
    });
  }

  /**
   * Drops a partition with all its rows, unless one is unfinished. `busy`: another process is changing
   * partitions.
   * @throws QueryFailedError 55P03 if the table was in use for too long
   */
  async drop(table: PartitionedTable, partition: string): Promise<DropResult> {
    const { unfinished = [] } = table;
    // Checked first without the lock, so that nothing waits for a partition that is kept anyway.
    if (await this.isUnfinished(this.database, partition, unfinished)) return 'unfinished';
    const again = unfinished.filter(({ comesBack }) => comesBack);
    let isUnfinished = false;
    const isMine = await this.change(async (tx) => {
      await tx.query(lock(table.name), []);
      isUnfinished = await this.isUnfinished(tx, partition, again);
      if (isUnfinished) return;
      await tx.query(longStatement(`partitions.drop.${partition}`, `DROP TABLE IF EXISTS ${partition}`), []);
    });
    return isUnfinished ? 'unfinished' : isMine ? 'dropped' : 'busy';
  }

  async withoutStatistics(tables: readonly PartitionedTable[], month: Month): Promise<string[]> {
    const names = tables.map(({ name }) => name);
    const partitions = names.map((name) => `${name}_${nameOf(month)}`);
    const rows = await this.database.query<{ name: string }>(withoutStatistics, [names, partitions]);
    return rows.map(({ name }) => name);
  }

  /** Analyzes a partition or a whole table; autovacuum only analyzes partitions. */
  async analyze(name: string): Promise<void> {
    await this.database.query(
      longStatement(`partitions.analyze.${name}`, `ANALYZE (SKIP_LOCKED) ${name}`),
      [],
    );
  }

  deleteOld(table: PartitionedTable, partition: string, before: Date, limit: number): Promise<number> {
    return cleanUp(this.database, deleteOld(table, partition), [before, limit]);
  }

  /** Deletes at most `limit` keys of a range whose rows are gone and returns how many. */
  deleteKeys(
    table: PartitionedTable,
    keys: KeysTable,
    { from, to }: { from: Date | null; to: Date },
    limit: number,
  ): Promise<number> {
    return cleanUp(this.database, deleteKeys(table, keys), [to, limit, from]);
  }

  private async isUnfinished(
    executor: Executor,
    partition: string,
    unfinished: readonly Unfinished[],
  ): Promise<boolean> {
    if (unfinished.length === 0) return false;
    const [found] = await executor.query<{ exists: boolean }>(exists, [partition]);
    if (!found?.exists) return false;
    const [row] = await executor.query<{ isUnfinished: boolean }>(isUnfinished(partition, unfinished), []);
    return row?.isUnfinished ?? false;
  }

  private change(work: (tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.database.transaction(
      async (tx) => {
        const [lock] = await tx.query<{ isMine: boolean }>(tryLock, []);
        if (!lock?.isMine) return false;
        await work(tx);
        return true;
      },
      { lockTimeoutMs: LOCK_TIMEOUT_MS },
    );
  }
}
