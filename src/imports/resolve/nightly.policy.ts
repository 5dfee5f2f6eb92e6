import { createHash } from 'node:crypto';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Spread between 2:00 and 5:00 UTC, so that apps do not all call their stores at once. */
const FROM_MS = 2 * HOUR_MS;
const SPREAD_MS = 3 * HOUR_MS;

/** When to ask an app's store again about everything still open: once a night, always at the same time. */
export function nextNightMs(appId: string, nowMs: number): number {
  const share = createHash('sha256').update(appId).digest().readUInt32BE() / 2 ** 32;
  const ofDayMs = FROM_MS + Math.floor(share * SPREAD_MS);
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS + ofDayMs;
  return todayMs > nowMs ? todayMs : todayMs + DAY_MS;
}
