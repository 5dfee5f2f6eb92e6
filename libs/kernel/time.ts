/** UTC day of a moment, `YYYY-MM-DD`. */
export function utcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** ISO 8601 UTC with whole seconds, the only date form the purchase SDKs are sure to read. */
export function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

export function isoSecondsOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoSeconds(epochMs);
}

const STORE_TIMES_END_MS = Date.UTC(2200, 0, 1);

/**
 * Whether a store can mean a time (epoch ms): from 1970 until 2200. Dates, the database and the SDKs hold all of these;
 * anything else in a store's answer is a mistake, or an attack with a genuine signature.
 */
export function isStoreTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < STORE_TIMES_END_MS;
}
