import type {
  AutoRenewalStatus,
  ChainFacts,
  ChainState,
  PeriodFact,
  RenewalFact,
  SubscriptionStatus,
} from './model.js';

/** A store may date a period a little ahead of our clock. */
const START_TOLERANCE_MS = 5 * 60_000;

export interface KeyedPeriod extends PeriodFact {
  key: string;
}

/** Periods of a chain by start, then key. */
export function orderedPeriods(facts: ChainFacts): KeyedPeriod[] {
  return Object.entries(facts.periods)
    .map(([key, register]) => ({ key, ...register.value }))
    .sort((a, b) => a.startMs - b.startMs || (a.key < b.key ? -1 : 1));
}

const quietRenewal: RenewalFact = {
  autoRenew: false,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
};

function latestOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

interface Ends {
  refundedAtMs: number | null;
  graceEndsAtMs: number | null;
  accessEndsAtMs: number | null;
}

function endsOf(facts: ChainFacts, latest: KeyedPeriod, renewal: RenewalFact): Ends {
  const refund = facts.refunds[latest.key]?.value;
  const refundedAtMs = refund && refund.kind !== 'partial' ? refund.revokedAtMs : null;
  const replacedAtMs = facts.replaced?.value.atMs ?? null;
  const trouble = renewal.inRetry || renewal.graceUntilMs !== null;
  const graceEndsAtMs = trouble ? renewal.graceUntilMs : null;
  const cut = refundedAtMs ?? replacedAtMs;
  // A refund or replacement after the paid end does not bring access back.
  const accessEndsAtMs =
    cut !== null
      ? Math.min(cut, latest.endMs ?? cut)
      : graceEndsAtMs === null
        ? latest.endMs
        : latestOf(latest.endMs, graceEndsAtMs);
  return { refundedAtMs, graceEndsAtMs, accessEndsAtMs };
}

function statusOf(
  givesAccess: boolean,
  isCut: boolean,
  current: KeyedPeriod,
  latest: KeyedPeriod,
  renewal: RenewalFact,
  nowMs: number,
): SubscriptionStatus {
  if (isCut) return 'expired';
  if (renewal.paused && !givesAccess) return 'paused';
  if (renewal.inRetry && !givesAccess) return 'in_billing_retry';
  if (!givesAccess) return 'expired';
  if (latest.endMs !== null && nowMs >= latest.endMs) return 'in_grace_period';
  return current.kind === 'trial' ? 'trialing' : 'active';
}

function autoRenewalOf(
  renewal: RenewalFact,
  current: KeyedPeriod,
  status: SubscriptionStatus,
): AutoRenewalStatus {
  if (!renewal.autoRenew || current.kind === 'prepaid' || status === 'expired') return 'will_not_renew';
  if (renewal.pauseScheduled) return 'will_pause';
  const changes = renewal.nextProductId !== null && renewal.nextProductId !== current.storeProductId;
  return changes ? 'will_change_product' : 'will_renew';
}

function identifiersOf(periods: KeyedPeriod[]): string[] {
  return [...new Set(periods.flatMap((period) => [period.storeTransactionId, period.key]))].sort();
}

/** The first future moment among the given ones. */
function nextDue(nowMs: number, moments: (number | null)[]): number | null {
  const future = moments.filter((moment) => moment !== null && moment > nowMs) as number[];
  return future.length === 0 ? null : Math.min(...future);
}

/**
 * State of a chain at `nowMs`, from its facts alone.
 * @throws RangeError when the facts hold no period
 */
export function deriveChain(facts: ChainFacts, nowMs: number): ChainState {
  const periods = orderedPeriods(facts);
  const first = periods[0];
  const latest = periods.at(-1);
  if (!first || !latest) throw new RangeError('a chain without a period has no state');
  // The store may have charged for a period that has not begun: the running one is still the current one.
  const current = periods.findLast((period) => period.startMs <= nowMs + START_TOLERANCE_MS) ?? first;
  const renewal = facts.renewal?.value ?? quietRenewal;
  const { refundedAtMs, graceEndsAtMs, accessEndsAtMs } = endsOf(facts, latest, renewal);
  const pendingPayment = facts.pending?.value ?? false;
  const isCut = refundedAtMs !== null || facts.replaced !== null;
  const inTime = accessEndsAtMs === null || nowMs < accessEndsAtMs;
  const givesAccess = !pendingPayment && !isCut && inTime;
  const status = statusOf(givesAccess, isCut, current, latest, renewal, nowMs);
  return {
    status,
    autoRenewalStatus: autoRenewalOf(renewal, current, status),
    givesAccess,
    pendingPayment,
    startedAtMs: first.startMs,
    periodStartedAtMs: current.startMs,
    periodEndsAtMs: current.endMs,
    accessEndsAtMs,
    graceEndsAtMs,
    billingIssueAtMs: renewal.billingIssueAtMs,
    unsubscribeAtMs: renewal.cancelledAtMs,
    refundedAtMs,
    autoResumeAtMs: renewal.autoResumeAtMs,
    periodType: current.kind,
    ownership: current.ownership,
    storeProductId: current.storeProductId,
    planId: current.planId,
    autoRenewProductId: renewal.nextProductId,
    price: current.price,
    country: current.country,
    presentedOfferingId: facts.hints?.value.presentedOfferingId ?? null,
    latestStoreTransactionId: latest.storeTransactionId,
    originalStoreTransactionId: first.storeTransactionId,
    storeIdentifiers: identifiersOf(periods),
    nextDueAtMs: isCut ? null : nextDue(nowMs, [latest.startMs, latest.endMs, accessEndsAtMs]),
  };
}
