const DAY_MS = 86_400_000;

/** `YYYY-MM-DD`. */
export function utcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Returns the start (epoch ms) of a UTC day, `YYYY-MM-DD`; NaN if there is no such day. */
export function utcDayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns UTC days, oldest first, those of both times included. */
export function utcDays(fromMs: number, untilMs: number): string[] {
  const days: string[] = [];
  for (let ms = Math.floor(fromMs / DAY_MS) * DAY_MS; ms <= untilMs; ms += DAY_MS) days.push(utcDay(ms));
  return days;
}

/** ISO 8601 UTC in whole seconds: the only date format that all purchase SDKs can parse. */
export function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

export function isoSecondsOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoSeconds(epochMs);
}

const STORE_TIMES_END_MS = Date.UTC(2200, 0, 1);

/** Epoch ms, 1970 to 2200: a range that dates, database and SDKs support. Other times are mistakes or attacks. */
export function isStoreTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < STORE_TIMES_END_MS;
}
