/**
 * Statements of one transaction that take about a megabyte of the disk with the tables, and give it back at its end. An
 * ordinary small write finds room on pages that are there already.
 */
export const DISK_PROBE: readonly string[] = [
  `SELECT set_config('temp_tablespaces', '', true)`,
  `CREATE TEMPORARY TABLE tenure_disk_probe ON COMMIT DROP AS
     SELECT repeat('x', 100) AS filler FROM generate_series(1, 8000)`,
];
