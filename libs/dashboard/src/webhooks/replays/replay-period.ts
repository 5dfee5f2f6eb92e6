export type ReplayPeriod = 'hour' | 'failing' | 'paused' | 'own';

export interface ReplayForm {
  period: ReplayPeriod;
  /** Start of the custom period. */
  fromMs: number | null;
  toMs: number | null;
}

const HOUR_MS = 3_600_000;

/** Returns the range to send; null if its start is unknown. */
export function rangeOf(
  { period, fromMs, toMs }: ReplayForm,
  known: { failing: number | null; paused: number | null; now: number },
): { from: number; to: number } | null {
  const from = {
    hour: known.now - HOUR_MS,
    failing: known.failing,
    paused: known.paused,
    own: fromMs,
  }[period];
  if (from === null) return null;
  return { from, to: (period === 'own' ? toMs : null) ?? known.now };
}
