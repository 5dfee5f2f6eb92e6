/** Uses about a megabyte on the tables' disk until the transaction ends; a small write would fit on existing pages. */
export const DISK_PROBE: readonly string[] = [
  `SELECT set_config('temp_tablespaces', '', true)`,
  `CREATE TEMPORARY TABLE tenure_disk_probe ON COMMIT DROP AS
     SELECT repeat('x', 100) AS filler FROM generate_series(1, 8000)`,
];
