/**
 * Statements of one transaction that use about a megabyte on the tables' disk and free it when the transaction
 * ends. A small write would find room on existing pages.
 */
export const DISK_PROBE: readonly string[] = [
  `SELECT set_config('temp_tablespaces', '', true)`,
  `CREATE TEMPORARY TABLE tenure_disk_probe ON COMMIT DROP AS
     SELECT repeat('x', 100) AS filler FROM generate_series(1, 8000)`,
];
