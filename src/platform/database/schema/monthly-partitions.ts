import type { QueryRunner } from 'typeorm';

/** Number of months that get a partition immediately; the server creates later ones. */
const MONTHS = 3;

/** Starts of the months after the current one. In a month's last week, the next month counts as current. */
const STARTS = `
  SELECT to_char(bound AT TIME ZONE 'UTC', 'YYYY_MM') AS month, bound::text AS "from",
    ((bound AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')::text AS "to"
  FROM generate_series(1, ${MONTHS}) AS month
  CROSS JOIN LATERAL (
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC' + interval '7 days') + month * interval '1 month')
      AT TIME ZONE 'UTC' AS bound) b
  ORDER BY bound`;

/**
 * Creates the partitions of a new monthly table: one for everything before the first whole month, one for each of the
 * coming months, and a default one, so that no insert ever fails.
 * @param fillfactor of each partition, percent
 */
export async function createMonths(
  queryRunner: QueryRunner,
  table: string,
  fillfactor: number,
): Promise<void> {
  const options = `WITH (fillfactor = ${fillfactor})`;
  const months = await queryRunner.manager.query<{ month: string; from: string; to: string }[]>(STARTS);
  const first = months[0]?.from ?? '';
  await queryRunner.query(`
    CREATE TABLE ${table}_first PARTITION OF ${table} FOR VALUES FROM (MINVALUE) TO ('${first}') ${options};
    CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT ${options}`);
  for (const { month, from, to } of months) {
    await queryRunner.query(
      `CREATE TABLE ${table}_${month} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}') ${options}`,
    );
  }
}
