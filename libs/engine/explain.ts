import { effectiveFacts, effectivePurchase } from './effective-facts.js';
import type { OneTimeFacts, PeriodFact, Register } from './facts.model.js';
import { accessSpans } from './access-spans.js';
import { endReason } from './subscription-end.js';
import { type SubscriptionView, viewSubscription } from './subscription-view.js';
import { currentPeriod, stateOf } from './derive-state.js';
import type { Subscription, SubscriptionState, OneTimePurchase, OneTimeState } from './model.js';
import type { EndReason } from './outcome.model.js';
import type { KeyedPeriod } from './periods.js';
import type { EntitlementKey } from './entitlements.js';

export const accessCauses = [
  'purchase',
  'renewal',
  'product_change',
  'grace_period',
  'grant',
  'refund_reversal',
  'transfer',
  'pending_payment',
  'expiry',
  'billing_issue',
  'pause',
  'refund',
  'family_sharing_end',
  'replacement',
  'grant_end',
  'grant_revocation',
  'transfer_away',
  'block',
] as const;
export type AccessCause = (typeof accessCauses)[number];

export interface AccessClaim {
  givesAccess: boolean;
  /** Start of the uninterrupted access or gap; never later than the requested time, even for an early report. */
  sinceMs: number;
  /** When access will end if nothing changes; null: never, or there is no access. */
  untilMs: number | null;
  cause: AccessCause;
  causeAtMs: number;
  /** The reason in the EXPIRATION event; null while there is access, and for one-time purchases. */
  endReason: EndReason | null;
  /** The import, if only an import reported the period or purchase; null once its store has reported it. */
  imported: ImportOrigin | null;
}

export interface ImportOrigin {
  /** When the import ran. */
  atMs: number;
  /** When the data was read from the other system. */
  asOfMs: number;
}

export type Unlocks = (storeProductId: string, planId: string | null) => boolean;

export function giving(
  sinceMs: number,
  untilMs: number | null,
  cause: AccessCause,
  causeAtMs: number,
): AccessClaim {
  return { givesAccess: true, sinceMs, untilMs, cause, causeAtMs, endReason: null, imported: null };
}

export function denying(cause: AccessCause, sinceMs: number, reason: EndReason | null = null): AccessClaim {
  return {
    givesAccess: false,
    sinceMs,
    untilMs: null,
    cause,
    causeAtMs: sinceMs,
    endReason: reason,
    imported: null,
  };
}

/** Start of the uninterrupted access that period `current` continues, across products that unlock the same. */
function unbrokenSince({ facts }: SubscriptionView, current: KeyedPeriod, unlocks: Unlocks): number {
  const spans = accessSpans(facts);
  let index = spans.findIndex(({ periodKey }) => periodKey === current.key);
  let sinceMs = current.startMs;
  for (; index > 0; index--) {
    const [before, span] = [spans[index - 1], spans[index]];
    if (!before || !span || before.endMs === null || before.endMs < span.startMs) break;
    const { storeProductId = '', planId = null } = facts.periods[before.periodKey]?.value ?? {};
    if (!unlocks(storeProductId, planId)) break;
    sinceMs = before.startMs;
  }
  return sinceMs;
}

function openedBy(
  { store, emitted }: Pick<Subscription, 'store' | 'emitted'>,
  view: SubscriptionView,
  state: SubscriptionState,
  current: KeyedPeriod,
): [AccessCause, number] {
  const { facts, counting, paidUntilMs } = view;
  if (store === 'promotional') return ['grant', current.startMs];
  if (state.status === 'in_grace_period') return ['grace_period', paidUntilMs ?? current.startMs];
  const reversal = facts.refunds[current.key];
  const wasRefunded = (emitted.refunds?.[current.key] ?? 0) > 0;
  if (wasRefunded && reversal && reversal.value.revokedAtMs === null) return ['refund_reversal', reversal.at];
  const before = counting[counting.indexOf(current) - 1];
  if (before && before.storeProductId !== current.storeProductId) return ['product_change', current.startMs];
  return [current.isRenewal ? 'renewal' : 'purchase', current.startMs];
}

export function endedBy(
  { store }: Pick<Subscription, 'store'>,
  view: SubscriptionView,
  state: SubscriptionState,
): AccessCause {
  if (view.cut === 'refund') return 'refund';
  if (view.cut === 'family') return 'family_sharing_end';
  if (view.cut === 'replaced') return 'replacement';
  if (store === 'promotional') return view.renewal.ended ? 'grant_revocation' : 'grant_end';
  if (state.status === 'paused') return 'pause';
  return state.status === 'in_billing_retry' ? 'billing_issue' : 'expiry';
}

/** The import of a statement that no store has confirmed. */
function importOf(statement: Register<unknown> | null | undefined, importedAtMs: number | undefined) {
  return statement?.src === 'import' ? { atMs: importedAtMs ?? statement.at, asOfMs: statement.at } : null;
}

/** The import that added a grant. */
function importOfGrant({ facts, emitted }: Pick<Subscription, 'facts' | 'emitted'>) {
  const asOfMs = emitted.importedAtMs;
  return asOfMs === undefined ? null : { atMs: facts.imported?.importedAtMs ?? asOfMs, asOfMs };
}

/** All products of the subscription, including former ones and add-ons. */
export function everSold({
  facts,
}: Pick<Subscription, 'facts'>): Pick<PeriodFact, 'storeProductId' | 'planId'>[] {
  const { periods, addOns = {} } = effectiveFacts(facts);
  return [...Object.values(periods), ...Object.values(addOns)].map(({ value }) => value);
}

/**
 * Null if the subscription never gave access.
 * @throws RangeError if the facts contain no period
 */
export function explainSubscription(
  subscription: Pick<Subscription, 'store' | 'facts' | 'emitted'>,
  nowMs: number,
  unlocks: Unlocks,
): AccessClaim | null {
  const view = viewSubscription(subscription.facts);
  const state = stateOf(view, nowMs);
  const current = currentPeriod(view, nowMs);
  const begun = view.counting.slice(0, view.counting.indexOf(current) + 1);
  const lastUnlocking = begun.findLast(({ storeProductId, planId }) => unlocks(storeProductId, planId));
  if (!lastUnlocking) return null;
  const period = view.facts.periods[lastUnlocking.key];
  const imported =
    subscription.store === 'promotional'
      ? importOfGrant(subscription)
      : importOf(period, subscription.facts.imported?.importedAtMs);
  return {
    ...claimOf(subscription, { view, state, current, begun, lastUnlocking }, nowMs, unlocks),
    imported,
  };
}

interface ExplainedPeriods {
  view: SubscriptionView;
  state: SubscriptionState;
  current: KeyedPeriod;
  begun: KeyedPeriod[];
  /** The latest started period that unlocks the entitlement. */
  lastUnlocking: KeyedPeriod;
}

function claimOf(
  subscription: Pick<Subscription, 'store' | 'emitted'>,
  { view, state, current, begun, lastUnlocking }: ExplainedPeriods,
  nowMs: number,
  unlocks: Unlocks,
): AccessClaim {
  if (state.pendingPayment) return denying('pending_payment', Math.min(nowMs, state.startedAtMs));
  if (lastUnlocking !== current) {
    const next = begun[begun.indexOf(lastUnlocking) + 1] ?? current;
    return denying('product_change', Math.min(nowMs, next.startMs));
  }
  if (state.givesAccess) {
    const opened = openedBy(subscription, view, state, current);
    const sinceMs = Math.min(nowMs, unbrokenSince(view, current, unlocks));
    return giving(sinceMs, state.accessEndsAtMs, ...opened);
  }
  const endedAtMs = Math.min(nowMs, state.accessEndsAtMs ?? nowMs, view.cutAtMs ?? nowMs);
  const reason = endReason(subscription.store, view, state, subscription.emitted);
  return denying(endedBy(subscription, view, state), endedAtMs, reason);
}

/** `state` may have an end that the facts lack: a rental's duration comes from its product. */
export function explainOneTime(
  { facts, emitted }: Pick<OneTimePurchase, 'facts' | 'emitted'>,
  state: OneTimeState,
  nowMs: number,
): AccessClaim {
  const { purchase, refund } = effectivePurchase(facts);
  const imported = importOf(purchase, facts.imported?.importedAtMs);
  return { ...oneTimeClaim(state, refund, emitted, nowMs), imported };
}

function oneTimeClaim(
  { purchasedAtMs, expiresAtMs, refundedAtMs }: OneTimeState,
  refund: OneTimeFacts['refund'],
  emitted: OneTimePurchase['emitted'],
  nowMs: number,
): AccessClaim {
  if (refundedAtMs !== null) return denying('refund', Math.min(nowMs, refundedAtMs));
  if (expiresAtMs !== null && nowMs >= expiresAtMs) return denying('expiry', expiresAtMs);
  const sinceMs = Math.min(nowMs, purchasedAtMs);
  return refund && refund.value.refundedAtMs === null && (emitted.refunds ?? 0) > 0
    ? giving(sinceMs, expiresAtMs, 'refund_reversal', refund.at)
    : giving(sinceMs, expiresAtMs, 'purchase', purchasedAtMs);
}

export interface ExplainedEntitlement<Source> extends EntitlementKey {
  active: boolean;
  sinceMs: number;
  untilMs: number | null;
  /** The purchase that gives access longest, or else the one that ended last. */
  decidedBy: Source;
  /** Every purchase that gives or gave access, the deciding one first. */
  sources: Source[];
}

const end = ({ untilMs }: AccessClaim): number => untilMs ?? Infinity;

function byWeight(a: AccessClaim, b: AccessClaim): number {
  if (a.givesAccess !== b.givesAccess) return a.givesAccess ? -1 : 1;
  if (!a.givesAccess || end(a) === end(b)) return b.sinceMs - a.sinceMs;
  return end(a) > end(b) ? -1 : 1;
}

/** Explains, by lookup key, each entitlement that a purchase gives or gave. */
export function explainEntitlements<Source extends { entitlement: EntitlementKey; claim: AccessClaim }>(
  sources: readonly Source[],
): ExplainedEntitlement<Source>[] {
  const byKey = new Map<string, Source[]>();
  for (const source of sources) {
    const { lookupKey } = source.entitlement;
    byKey.set(lookupKey, [...(byKey.get(lookupKey) ?? []), source]);
  }
  return [...byKey.values()]
    .flatMap((unsorted) => {
      const all = unsorted.toSorted((a, b) => byWeight(a.claim, b.claim));
      const [first] = all;
      if (!first) return [];
      const active = first.claim.givesAccess;
      const since = all.filter(({ claim }) => claim.givesAccess === active).map(({ claim }) => claim.sinceMs);
      return [
        {
          ...first.entitlement,
          active,
          sinceMs: active ? Math.min(...since) : Math.max(...since),
          untilMs: first.claim.untilMs,
          decidedBy: first,
          sources: all,
        },
      ];
    })
    .sort((a, b) => (a.lookupKey < b.lookupKey ? -1 : 1));
}
