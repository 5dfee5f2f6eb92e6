/** A part of a balance, credited at one time and with one expiration. */
export interface Lot {
  id: string;
  remaining: number;
  /** Epoch milliseconds; null: never. */
  expiresAtMs: number | null;
}

export type LotChange = Pick<Lot, 'id' | 'remaining'>;

export function balanceOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Expiring lots first, soonest first; then the rest, oldest id first. */
function bySpendingOrder(a: Lot, b: Lot): number {
  if (a.expiresAtMs === b.expiresAtMs) return a.id < b.id ? -1 : 1;
  if (a.expiresAtMs === null) return 1;
  if (b.expiresAtMs === null) return -1;
  return a.expiresAtMs - b.expiresAtMs;
}

/** Spends a whole `amount` >= 0 from unexpired lots. Returns the changed lots, or null if the balance is too low. */
export function spend(lots: readonly Lot[], amount: number): LotChange[] | null {
  if (balanceOf(lots) < amount) return null;
  const changes: LotChange[] = [];
  let left = amount;
  for (const { id, remaining } of [...lots].sort(bySpendingOrder)) {
    if (left === 0) break;
    const taken = Math.min(remaining, left);
    if (taken > 0) changes.push({ id, remaining: remaining - taken });
    left -= taken;
  }
  return changes;
}

/** Revokes up to `amount`, first from the lot it was credited in. Spent currency leaves no debt. */
export function revokeFromLots(lots: readonly Lot[], amount: number, lotId: string): LotChange[] {
  const own = lots.filter(({ id }) => id === lotId);
  const fromOwn = Math.min(amount, balanceOf(own));
  const others = lots.filter(({ id }) => id !== lotId);
  const fromOthers = Math.min(amount - fromOwn, balanceOf(others));
  return [...(spend(own, fromOwn) ?? []), ...(spend(others, fromOthers) ?? [])];
}

/** `part` of `whole` of an amount, rounded up and at most the amount. All are whole numbers. */
export function shareOf(amount: number, part: number, whole: number): number {
  if (part >= whole) return amount;
  const [all, parts, share] = [BigInt(whole), BigInt(part), BigInt(amount)];
  return Number((share * parts + all - 1n) / all);
}
