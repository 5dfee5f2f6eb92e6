import type { Tone } from '../ui/tone.js';
import type { Delivery, FailingWebhook, WebhookState } from './webhooks.queries.js';

export interface Health {
  state: 'delivering' | 'failing' | 'open' | 'paused';
  tone: Tone;
  /** The last error; null if there is none, or it is unknown. */
  error: string | null;
}

/** Combines two API responses into the state of an integration. */
export function healthOf(state: WebhookState, failing: FailingWebhook | undefined): Health {
  const error = failing
    ? (failing.last_error ?? (failing.last_status && `HTTP ${failing.last_status}`))
    : null;
  const known = error || null;
  if (!state.enabled) return { state: 'paused', tone: 'neutral', error: known };
  if (state.circuit === 'open') return { state: 'open', tone: 'bad', error: known };
  return failing
    ? { state: 'failing', tone: 'bad', error: known }
    : { state: 'delivering', tone: 'good', error: null };
}

/** Returns the share of deliveries in the last 24 hours that succeeded, from 0 to 1; null if there were none. */
export function deliveredShare({
  delivered_24h: delivered,
  failed_24h: failed,
}: WebhookState): number | null {
  const all = delivered + failed;
  return all === 0 ? null : delivered / all;
}

/** Counting stops here; the number then means "at least". */
export const COUNT_LIMIT = 10_000;

/** Returns when the oldest delivery of the current series of failures was created; null if the last one succeeded. */
export function failingSince(newestFirst: readonly Delivery[]): number | null {
  let since: number | null = null;
  for (const { status, attempts, created_at } of newestFirst) {
    if (status === 'delivered') break;
    if (attempts > 0) since = created_at;
  }
  return since;
}
