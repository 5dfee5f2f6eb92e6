/*
 * Leases use the database's clock: process clocks may differ by minutes, so one could claim items that are in progress.
 */

export function isFree(leaseUntil: string): string {
  return `(${leaseUntil} IS NULL OR ${leaseUntil} <= statement_timestamp())`;
}

/** The end of a lease that lasts as long as from `now` to `againAt`, rounded to the precision of a Date. */
export function leaseEnd(now: string, againAt: string): string {
  return `date_trunc('milliseconds', statement_timestamp() + (${againAt}::timestamptz - ${now}::timestamptz))`;
}
