import type { CustomerState, Difference, DifferenceType, DifferentValue } from './verify.model.js';

export interface CompareOptions {
  nowMs: number;
  toleranceMs: number;
}

const CENTURY_MS = 100 * 365.25 * 86_400_000;

/** Whether a grant is for life: null on one side may be a distant date on the other. */
function isForLife(end: number | null, nowMs: number): boolean {
  return end === null || end - nowMs > CENTURY_MS;
}

function isSameEnd(a: number | null, b: number | null, { nowMs, toleranceMs }: CompareOptions): boolean {
  if (isForLife(a, nowMs) || isForLife(b, nowMs)) return isForLife(a, nowMs) && isForLife(b, nowMs);
  return Math.abs((a as number) - (b as number)) <= toleranceMs;
}

/** The target extends access beyond the imported end because it cannot ask the store yet. */
function isHeld(atSource: number | null, atTarget: number | null, { held }: CustomerState): boolean {
  if (atSource === null || atTarget === null) return false;
  return held.some(
    ({ fromMs, untilMs }) => untilMs === atTarget && atSource >= fromMs && atSource <= untilMs,
  );
}

/**
 * The differences between two customers. An import adds what the target lacks, but removes nothing that the target has
 * from a store or a grant: only the former count as fixable.
 */
export function compareCustomers(
  id: string,
  source: CustomerState,
  target: CustomerState,
  options: CompareOptions,
): Difference[] {
  const differences: Difference[] = [];
  const add = (
    type: DifferenceType,
    atSource: DifferentValue,
    atTarget: DifferentValue,
    fixable_by_import: boolean,
  ) => differences.push({ id, type, source: atSource, target: atTarget, fixable_by_import });
  const addCount = (type: DifferenceType, atSource: number, atTarget: number) => {
    if (atSource !== atTarget) add(type, atSource, atTarget, atSource > atTarget);
  };
  for (const [lookup_key, expires_at] of source.entitlements) {
    const atTarget = target.entitlements.get(lookup_key);
    if (atTarget === undefined) {
      add('entitlement_missing', { lookup_key, expires_at }, null, true);
    } else if (!isSameEnd(expires_at, atTarget, options) && !isHeld(expires_at, atTarget, target)) {
      add('expiry', { lookup_key, expires_at }, { lookup_key, expires_at: atTarget }, true);
    }
  }
  for (const [lookup_key, expires_at] of target.entitlements) {
    if (!source.entitlements.has(lookup_key)) {
      add('entitlement_extra', null, { lookup_key, expires_at }, false);
    }
  }
  addCount('subscription_count', source.accessSubscriptions.length, target.accessSubscriptions.length);
  if (source.ownedPurchases !== null && target.ownedPurchases !== null) {
    addCount('purchase_count', source.ownedPurchases, target.ownedPurchases);
  }
  if (source.balances && target.balances) {
    for (const code of new Set([...source.balances.keys(), ...target.balances.keys()])) {
      const [atSource, atTarget] = [source.balances.get(code) ?? 0, target.balances.get(code) ?? 0];
      if (atSource !== atTarget) {
        add('balance', { code, balance: atSource }, { code, balance: atTarget }, true);
      }
    }
  }
  return differences;
}
