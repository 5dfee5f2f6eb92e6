/*
 * Leases begin and end by the database's clock, whatever the clocks of the processes say. Two of them may be minutes
 * apart, and then one would take what the other still works on.
 */

/** Nobody holds the row. */
export function isFree(leaseUntil: string): string {
  return `(${leaseUntil} IS NULL OR ${leaseUntil} <= statement_timestamp())`;
}

/** The end of a lease that lasts as long as from one moment to the other, without more digits than a Date has. */
export function leaseEnd(now: string, againAt: string): string {
  return `date_trunc('milliseconds', statement_timestamp() + (${againAt}::timestamptz - ${now}::timestamptz))`;
}
