/** SQL for the epoch milliseconds of a timestamptz column. */
export const epochMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;
