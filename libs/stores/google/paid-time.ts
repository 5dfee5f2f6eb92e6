import { addPeriods, parsePeriod, type Period } from '../../kernel/index.js';
import type { OrderFacts } from './order-facts.js';
import type { SubscriptionItem } from './play-resources.js';
import { baseItem, type PlayContext, type SubscriptionReport } from './subscription-report.js';
import { stateOf } from './subscription-state.js';

function durationOf(item: SubscriptionItem, { durationOf: lookUp }: PlayContext): Period | null {
  return parsePeriod(lookUp(item.productId ?? '', item.offerDetails?.basePlanId ?? null) ?? '');
}

/** Start of a period if only its end is known. */
export function guessedStart(
  item: SubscriptionItem,
  startMs: number,
  endMs: number,
  context: PlayContext,
): number {
  const duration = durationOf(item, context);
  return duration ? Math.max(startMs, addPeriods(endMs, duration, -1)) : startMs;
}

/** The paid end in states that report a different one. */
export function paidEndOf(
  { purchase, context }: SubscriptionReport,
  order: OrderFacts | null,
  startMs: number,
  expiryMs: number,
): number {
  if (order?.endMs) return order.endMs;
  if (stateOf(purchase) !== 'IN_GRACE_PERIOD') return expiryMs;
  const duration = durationOf(baseItem(purchase), context);
  return duration ? Math.min(expiryMs, addPeriods(startMs, duration)) : expiryMs;
}

/** A customer who cancels instalments keeps paying until the commitment ends. */
export function commitmentOf(
  item: SubscriptionItem,
  expiryMs: number,
  context: PlayContext,
): { commitmentEndsAtMs?: number } {
  const { pendingCancellation, remainingCommittedPaymentsCount = 0 } =
    item.autoRenewingPlan?.installmentDetails ?? {};
  const duration = durationOf(item, context);
  if (pendingCancellation === undefined || !duration) return {};
  return { commitmentEndsAtMs: addPeriods(expiryMs, duration, remainingCommittedPaymentsCount) };
}
