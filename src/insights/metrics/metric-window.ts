const DAY_MS = 86_400_000;

/** The time window of a query. */
export interface Window {
  fromMs: number;
  /** Inclusive. */
  nowMs: number;
}

export function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS) * DAY_MS;
}
