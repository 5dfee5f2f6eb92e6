import { within } from '../../../libs/kernel/index.js';

/** While the database is down, the other metrics matter most, and a scrape does not wait long. */
const WITHIN_MS = 2_000;

/** Reads a gauge's source at each scrape; null if that fails or takes too long. */
export function gaugeReading<Reading>(read: () => Promise<Reading>): Promise<Reading | null> {
  return within<Reading | null, null>(
    read().catch(() => null),
    WITHIN_MS,
    null,
  );
}
