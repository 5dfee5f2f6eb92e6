import type { Tone } from '../ui/tone.js';
import type { FailingWebhook, WebhookState } from './webhooks.queries.js';

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
