import type { RefundFact, SubscriptionFacts } from './facts.model.js';

/** The unused part of a period that another purchase of the subscription took over; null if none did. */
export function unusedAtSwitch(
  { continuations, periods }: SubscriptionFacts,
  periodKey: string,
  { isReasonUnknown, revokedAtMs }: RefundFact,
): number | null {
  const period = periods[periodKey]?.value;
  if (!isReasonUnknown || !continuations || !period || period.endMs === null) return null;
  const { startMs, endMs } = period;
  const switchedAtMs = Object.values(continuations)
    .map(({ value }) => value.sinceMs)
    .filter((sinceMs) => sinceMs > startMs && sinceMs < endMs);
  if (switchedAtMs.length === 0) return null;
  const usedUntilMs = Math.max(startMs, Math.min(revokedAtMs ?? endMs, ...switchedAtMs));
  return (endMs - usedUntilMs) / (endMs - startMs);
}
