import { Num } from '../ui/format/money.js';
import { COUNT_LIMIT, deliveredShare } from './webhook-health.js';
import type { WebhookState } from './webhooks.queries.js';

/** Share of deliveries in the last 24 hours that succeeded. */
export function DeliveredShare({ state }: { state: WebhookState | undefined }) {
  if (!state) return null;
  const share = deliveredShare(state);
  if (share === null) return <span className="text-muted">None sent</span>;
  return <Num value={share} percent />;
}

/** Number of pending deliveries. */
export function PendingCount({ state }: { state: WebhookState | undefined }) {
  if (!state) return null;
  return state.pending < COUNT_LIMIT ? (
    <Num value={state.pending} />
  ) : (
    <span className="whitespace-nowrap">{`${COUNT_LIMIT.toLocaleString()} or more`}</span>
  );
}
