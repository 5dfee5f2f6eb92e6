import type { Tone } from '../ui/tone.js';
import type { Delivery, FailingWebhook, WebhookState } from './webhooks.queries.js';

export interface Health {
  state: 'delivering' | 'failing' | 'open' | 'paused';
  tone: Tone;
  /** What went wrong last; null if nothing did, or it is not known. */
  error: string | null;
}

/** How an integration is, from what the API says of it in two places. */
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

/** The share of deliveries of the last 24 hours that arrived, from 0 to 1; null if there were none. */
export function deliveredShare({
  delivered_24h: delivered,
  failed_24h: failed,
}: WebhookState): number | null {
  const all = delivered + failed;
  return all === 0 ? null : delivered / all;
}

/** Counting stops here: the number then means "at least". */
export const COUNT_LIMIT = 10_000;

/** When the first of the newest deliveries that did not arrive was created; null if the last one did. */
export function failingSince(newestFirst: readonly Delivery[]): number | null {
  let since: number | null = null;
  for (const { status, attempts, created_at } of newestFirst) {
    if (status === 'delivered') break;
    if (attempts > 0) since = created_at;
  }
  return since;
}
