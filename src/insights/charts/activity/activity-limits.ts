/** A day with more active customers is not counted for each answer but from time to time. */
export const MANY_CUSTOMERS = 200_000;
/** With more days to count, the sums are no help. */
export const MAX_OPEN_DAYS = 31;
export const TODAY_EVERY_MS = 5 * 60_000;
