import { within } from '../../../libs/kernel/index.js';

/** The other metrics are wanted most of all while the database is away, and whoever scrapes does not wait long. */
const WITHIN_MS = 2_000;

/** What a gauge is read from at each scrape; null when that fails or takes too long. */
export function gaugeReading<Reading>(read: () => Promise<Reading>): Promise<Reading | null> {
  return within<Reading | null, null>(
    read().catch(() => null),
    WITHIN_MS,
    null,
  );
}
