/** The whole of a purchase, in thousandths of a percent, as both stores count it. */
export const WHOLE_SHARE = 100_000;

/** Units of one virtual currency that a purchase granted, and what is left of them. */
export interface GrantedCurrency {
  granted: number;
  balance: number;
}

export interface PurchaseUse {
  /** The period that was paid for, epoch ms; null if the purchase has none, or none with a known end. */
  period: { startMs: number; endMs: number } | null;
  /** The virtual currencies that the purchase granted. */
  currencies: readonly GrantedCurrency[];
}

/** Rounds half up. The products can exceed the safe integers. */
function shareOf(part: number, whole: number): number {
  const [used, total] = [BigInt(Math.round(part)), BigInt(Math.round(whole))];
  return Number((2n * used * BigInt(WHOLE_SHARE) + total) / (2n * total));
}

/**
 * The used part of a purchase in thousandths of a percent: the elapsed part of its period, or the spent part of the
 * currencies that it granted. Undefined if neither is known.
 */
export function consumedShare({ period, currencies }: PurchaseUse, atMs: number): number | undefined {
  if (period !== null) {
    const length = period.endMs - period.startMs;
    if (length <= 0) return undefined;
    return shareOf(Math.min(Math.max(atMs - period.startMs, 0), length), length);
  }
  const granted = currencies.reduce((sum, one) => sum + one.granted, 0);
  if (granted <= 0) return undefined;
  const left = currencies.reduce((sum, one) => sum + Math.min(one.granted, Math.max(one.balance, 0)), 0);
  return shareOf(granted - left, granted);
}
