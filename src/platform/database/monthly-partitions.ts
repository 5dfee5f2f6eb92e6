import type { QueryRunner } from 'typeorm';

/** Months that get a partition right away; later ones are made by the server. */
const MONTHS = 3;

/** Starts of the months after the present one, but for its last week, in which the next one is the present one. */
const STARTS = `
  SELECT to_char(bound AT TIME ZONE 'UTC', 'YYYY_MM') AS month, bound::text AS "from",
    ((bound AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC')::text AS "to"
  FROM generate_series(1, ${MONTHS}) AS month
  CROSS JOIN LATERAL (
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC' + interval '7 days') + month * interval '1 month')
      AT TIME ZONE 'UTC' AS bound) b
  ORDER BY bound`;

/**
 * Partitions of a new table that is partitioned by month: one for all that came before the first whole month, the months
 * to come, and a default one for what has none, so that no insert ever fails.
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
