/** Days on which customers were seen are kept this long: the longest history, and the range before it. */
export const CUSTOMER_DAYS_KEPT = 2 * 365;
