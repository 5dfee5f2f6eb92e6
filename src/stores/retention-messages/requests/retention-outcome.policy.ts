import type { SubscriptionState } from '../../../../libs/engine/index.js';
import type { DueRequest, RetentionOutcome } from './retention-requests.repository.js';

const DAY_MS = 86_400_000;

/**
 * What became of a subscription: a day after the request, whether it was still to renew; a day after the end of its
 * period, when stores have reported renewals, whether it renewed.
 * @param state null if the subscription no longer exists
 */
export function outcomeAt(
  { autoRenewAfter24h, periodEndsAt }: Pick<DueRequest, 'autoRenewAfter24h' | 'periodEndsAt'>,
  state: Pick<
    SubscriptionState,
    'status' | 'autoRenewalStatus' | 'periodStartedAtMs' | 'periodEndsAtMs'
  > | null,
  nowMs: number,
): RetentionOutcome {
  if (state === null) return { autoRenewAfter24h, renewed: null, dueAt: null };
  const isRenewing = state.status !== 'expired' && state.autoRenewalStatus !== 'will_not_renew';
  const known = autoRenewAfter24h ?? isRenewing;
  if (periodEndsAt === null) return { autoRenewAfter24h: known, renewed: null, dueAt: null };
  const endMs = periodEndsAt.getTime();
  const finalMs = endMs + DAY_MS;
  if (nowMs < finalMs) return { autoRenewAfter24h: known, renewed: null, dueAt: new Date(finalMs) };
  const renewed = state.periodStartedAtMs >= endMs || (state.periodEndsAtMs ?? Infinity) > endMs;
  return { autoRenewAfter24h: known, renewed, dueAt: null };
}
