/*
 * Leases begin and end by the database's clock. Process clocks may be minutes apart, and then one process would
 * take what another still works on.
 */

/** No process holds the row. */
export function isFree(leaseUntil: string): string {
  return `(${leaseUntil} IS NULL OR ${leaseUntil} <= statement_timestamp())`;
}

/** The end of a lease that lasts as long as from `now` to `againAt`, rounded to the precision of a Date. */
export function leaseEnd(now: string, againAt: string): string {
  return `date_trunc('milliseconds', statement_timestamp() + (${againAt}::timestamptz - ${now}::timestamptz))`;
}
