import type { LoggedDelivery } from './delivery.js';

/** Returns the share of deliveries in the last 24 hours that succeeded, from 0 to 1; null if there were none. */
export function deliveredShare({
  delivered_24h: delivered,
  failed_24h: failed,
}: {
  delivered_24h: number;
  failed_24h: number;
}): number | null {
  const all = delivered + failed;
  return all === 0 ? null : delivered / all;
}

/** Counting stops here; the number then means "at least". */
export const COUNT_LIMIT = 10_000;

/** Returns when the oldest delivery of the current series of failures was created; null if the last one succeeded. */
export function failingSince(
  newestFirst: readonly Pick<LoggedDelivery, 'status' | 'attempts' | 'created_at'>[],
): number | null {
  let since: number | null = null;
  for (const { status, attempts, created_at } of newestFirst) {
    if (status === 'delivered') break;
    if (attempts > 0) since = created_at;
  }
  return since;
}
