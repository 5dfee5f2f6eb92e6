import { dayToMs } from '../ui/format/format-time.js';

const DAY_MS = 86_400_000;

/** Converts UTC days, both included, for the server: from inclusive, to exclusive. */
export function periodOf({ from, to }: { from?: string; to?: string }) {
  const startMs = from ? dayToMs(from) : null;
  const endMs = to ? dayToMs(to) : null;
  return {
    ...(startMs === null ? {} : { start_time: startMs }),
    ...(endMs === null ? {} : { end_time: endMs + DAY_MS }),
  };
}
