import type { AddOnState, SubscriptionState, OneTimeState } from './model.js';

export interface EntitlementKey {
  id: string;
  lookupKey: string;
}

export interface SubscriptionSource {
  id: string;
  state: SubscriptionState | AddOnState;
  entitlements: readonly EntitlementKey[];
}

export interface OneTimeSource {
  id: string;
  state: OneTimeState;
  entitlements: readonly EntitlementKey[];
}

export interface ResolvedEntitlement extends EntitlementKey {
  active: boolean;
  /** Null: never ends. */
  expiresAtMs: number | null;
  gracePeriodExpiresAtMs: number | null;
  purchasedAtMs: number;
  storeProductId: string;
  planId: string | null;
  source: { kind: 'subscription' | 'one_time'; id: string };
}

/** Active first: a revoked purchase may have a later end. Then by latest end (no end is latest), purchase and id. */
function beats(a: ResolvedEntitlement, b: ResolvedEntitlement): boolean {
  if (a.active !== b.active) return a.active;
  if (a.expiresAtMs !== b.expiresAtMs) {
    if (a.expiresAtMs === null) return true;
    return b.expiresAtMs !== null && a.expiresAtMs > b.expiresAtMs;
  }
  if (a.purchasedAtMs !== b.purchasedAtMs) return a.purchasedAtMs > b.purchasedAtMs;
  return a.source.id > b.source.id;
}

function fromSubscription({ id, state, entitlements }: SubscriptionSource): ResolvedEntitlement[] {
  // An unpaid purchase has not unlocked anything yet.
  if (state.pendingPayment) return [];
  return entitlements.map((entitlement) => ({
    id: entitlement.id,
    lookupKey: entitlement.lookupKey,
    active: state.givesAccess,
    expiresAtMs: state.accessEndsAtMs,
    gracePeriodExpiresAtMs: state.graceEndsAtMs,
    purchasedAtMs: state.periodStartedAtMs,
    storeProductId: state.storeProductId,
    planId: state.planId,
    source: { kind: 'subscription', id },
  }));
}

function fromOneTime({ id, state, entitlements }: OneTimeSource, nowMs: number): ResolvedEntitlement[] {
  // The web SDK treats every listed one-time purchase as active, so refunded and ended ones are omitted.
  const hasEnded = state.expiresAtMs !== null && state.expiresAtMs <= nowMs;
  if (state.refundedAtMs !== null || hasEnded) return [];
  return entitlements.map((entitlement) => ({
    id: entitlement.id,
    lookupKey: entitlement.lookupKey,
    active: true,
    expiresAtMs: state.expiresAtMs,
    gracePeriodExpiresAtMs: null,
    purchasedAtMs: state.purchasedAtMs,
    storeProductId: state.storeProductId,
    planId: null,
    source: { kind: 'one_time', id },
  }));
}

/** Keyed by lookup key; never stored. Expired subscriptions stay listed, expired one-time purchases do not. */
export function resolveEntitlements(
  subscriptions: readonly SubscriptionSource[],
  oneTime: readonly OneTimeSource[],
  nowMs: number,
): ResolvedEntitlement[] {
  const winners = new Map<string, ResolvedEntitlement>();
  const candidates = [
    ...subscriptions.flatMap(fromSubscription),
    ...oneTime.flatMap((source) => fromOneTime(source, nowMs)),
  ];
  for (const candidate of candidates) {
    const best = winners.get(candidate.lookupKey);
    if (!best || beats(candidate, best)) winners.set(candidate.lookupKey, candidate);
  }
  return [...winners.values()].sort((a, b) => (a.lookupKey < b.lookupKey ? -1 : 1));
}
