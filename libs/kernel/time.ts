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
