import type { EventType } from '../../api/event-types.js';

export type ReplayPeriod = 'hour' | 'failing' | 'paused' | 'own';

export interface ReplayForm {
  period: ReplayPeriod;
  /** Start of the custom period. */
  from: number | null;
  to: number | null;
  status: 'failed' | 'all';
  /** Null selects all. */
  event_types: EventType[] | null;
}

const HOUR_MS = 3_600_000;

/** Returns the range to send; null if its start is unknown. */
export function rangeOf(
  { period, from: ownFrom, to: ownTo }: Pick<ReplayForm, 'period' | 'from' | 'to'>,
  known: { failing: number | null; paused: number | null; now: number },
): { from: number; to: number } | null {
  const from = {
    hour: known.now - HOUR_MS,
    failing: known.failing,
    paused: known.paused,
    own: ownFrom,
  }[period];
  if (from === null) return null;
  return { from, to: (period === 'own' ? ownTo : null) ?? known.now };
}
