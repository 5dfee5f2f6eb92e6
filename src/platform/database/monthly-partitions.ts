import type { QueryRunner } from 'typeorm';
import { changeTables } from './giving-way.js';

/** Months that get a partition right away; later ones are made by the server. */
const MONTHS = 3;

export interface MonthlyTable {
  name: string;
  /** The time that tells which month a row belongs to. */
  column: string;
  /** Of each partition, percent: rows that are changed find room on their page. */
  fillfactor: number;
  /** Statements that give the new table its keys, indexes and foreign keys. */
  keys: string;
}

/**
 * The slow part of partitioning, for migrations with `transaction = false`: that no row is of a later month than the
 * first partition will take, which is found out while everybody goes on reading and writing. Can be run again.
 */
export async function boundFirstMonths(
  queryRunner: QueryRunner,
  { name, column }: Pick<MonthlyTable, 'name' | 'column'>,
): Promise<void> {
  // Far ahead where there are rows: the server before this one must be able to write should what follows have to wait.
  const [row] = await queryRunner.manager.query<{ bound: string }[]>(
    `SELECT ((date_trunc('month', greatest(max(${column}) + interval '3 months', now() + interval '7 days')
       AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC')::text AS bound FROM ${name}`,
  );
  const constraint = `${name}_first_months`;
  await changeTables(
    queryRunner,
    [name],
    `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${constraint},
       ADD CONSTRAINT ${constraint} CHECK (${column} < '${row?.bound}'::timestamptz) NOT VALID`,
  );
  await changeTables(queryRunner, [name], `ALTER TABLE ${name} VALIDATE CONSTRAINT ${constraint}`);
}

/** Gives the names of the table's keys and indexes free. A foreign key keeps its own: it is of one table only. */
const renameIndexes = ({ name }: MonthlyTable): string => `
  DO $$
  DECLARE index_name text;
  BEGIN
    FOR index_name IN SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      WHERE x.indrelid = '${name}_first'::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index_name, index_name || '_first');
    END LOOP;
  END $$`;

/** The bound that `boundFirstMonths` has made sure of, and the months from there on. */
const bounds = ({ name }: MonthlyTable): string => `
  SELECT to_char(bound AT TIME ZONE 'UTC', 'YYYY_MM') AS month, bound::text AS "from",
    ((bound AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')::text AS "to"
  FROM (
    SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz AS first FROM pg_constraint
    WHERE conrelid = '${name}'::regclass AND conname = '${name}_first_months') f
  CROSS JOIN LATERAL generate_series(0, ${MONTHS - 1}) AS month
  CROSS JOIN LATERAL (SELECT (first AT TIME ZONE 'UTC' + month * interval '1 month') AT TIME ZONE 'UTC' AS bound) b
  ORDER BY bound`;

/**
 * Partitions a table by month. The table as it was becomes the first partition, with its indexes: nothing is copied,
 * nothing is read. Rows of months that have no partition go to the default one, so that no insert ever fails.
 * @throws Error when `boundFirstMonths` did not run before
 */
export async function partitionByMonth(queryRunner: QueryRunner, table: MonthlyTable): Promise<void> {
  const { name, column, fillfactor, keys } = table;
  const months = await queryRunner.manager.query<{ month: string; from: string; to: string }[]>(
    bounds(table),
  );
  const [next] = months;
  if (!next) throw new Error(`${name} has no bound for its first partition`);
  await queryRunner.query(`
    ALTER TABLE ${name} RENAME TO ${name}_first;
    ${renameIndexes(table)};
    CREATE TABLE ${name} (LIKE ${name}_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
      PARTITION BY RANGE (${column});
    ALTER TABLE ${name} DROP CONSTRAINT ${name}_first_months;
    ${keys}
    ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES FROM (MINVALUE) TO ('${next.from}');
    ALTER TABLE ${name}_first DROP CONSTRAINT ${name}_first_months;
    CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT WITH (fillfactor = ${fillfactor})`);
  for (const { month, from, to } of months) {
    await queryRunner.query(`
      CREATE TABLE ${name}_${month} PARTITION OF ${name} FOR VALUES FROM ('${from}') TO ('${to}')
        WITH (fillfactor = ${fillfactor})`);
  }
}
