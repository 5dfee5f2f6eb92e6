import { type EffectiveFacts, effectiveFacts } from './effective-facts.js';
import type { SubscriptionFacts, Register, RenewalFact, ReplacedFact, Source } from './facts.model.js';
import { type KeyedAddOn, orderedAddOns } from './add-ons.js';
import {
  countingPeriods,
  type KeyedPeriod,
  orderedAdditions,
  orderedPeriods,
  revocationOf,
} from './periods.js';

/** The store's last report about the time after the latest period; `atMs` is null if there is none. */
export interface Renewal extends Required<Omit<RenewalFact, 'periodKey' | 'periodStartMs' | 'cancelSurvey'>> {
  atMs: number | null;
  src: Source | null;
}

/** The combined facts of one subscription, independent of the time. */
export interface SubscriptionView {
  facts: EffectiveFacts;
  /** Every period that the store has ever charged for. */
  all: KeyedPeriod[];
  /** The periods that count for access; never empty. */
  counting: KeyedPeriod[];
  /** Transactions that added seats to a period; empty if there are none. */
  additions: readonly KeyedPeriod[];
  /** Sorted by start; empty if only one product is sold. */
  addOns: readonly KeyedAddOn[];
  first: KeyedPeriod;
  latest: KeyedPeriod;
  renewal: Renewal;
  hasBillingIssue: boolean;
  graceEndsAtMs: number | null;
  paidUntilMs: number | null;
  replaced: ReplacedFact | null;
  cut: 'refund' | 'family' | 'replaced' | null;
  cutAtMs: number | null;
  pending: boolean;
  /** See `ImportedFacts.held`. */
  heldUntilMs: number | null;
}

/** A subscription renews unless a store reports otherwise. */
const unknownRenewal: Renewal = {
  atMs: null,
  src: null,
  autoRenew: true,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
  cancelReason: null,
  ended: false,
  priceIncrease: null,
  collectingUntilMs: null,
  managementUrl: null,
  commitmentEndsAtMs: null,
  nextSeats: null,
};

/** A statement about the time after an earlier period is outdated, because the store has charged again since. */
function renewalAfter(latest: KeyedPeriod, facts: EffectiveFacts, counting: KeyedPeriod[]): Renewal {
  const { renewal, importedRenewal } = facts;
  const stated = renewal && renewalIfAbout(latest, renewal, counting);
  if (stated) return stated;
  return (importedRenewal && renewalIfAbout(latest, importedRenewal, counting)) ?? unknownRenewal;
}

function renewalIfAbout(
  latest: KeyedPeriod,
  { at, src, value: { periodKey, ...value } }: Register<RenewalFact>,
  counting: KeyedPeriod[],
): Renewal | null {
  const named = periodKey === undefined ? undefined : counting.find(({ key }) => key === periodKey);
  const subject = named ?? counting.findLast(({ startMs }) => startMs <= at) ?? counting[0];
  return subject === latest ? { ...unknownRenewal, ...value, atMs: at, src } : null;
}

function paidUntil(latest: KeyedPeriod, renewal: Renewal, hasBillingIssue: boolean): number | null {
  const { autoRenew, commitmentEndsAtMs } = renewal;
  if (latest.endMs === null || commitmentEndsAtMs === null || autoRenew || hasBillingIssue)
    return latest.endMs;
  return Math.max(latest.endMs, commitmentEndsAtMs);
}

/** The latest purchase that continued the subscription; null if it has always been one purchase. */
export function latestContinuation({
  continuations = {},
}: Pick<SubscriptionFacts, 'continuations'>): string | null {
  const all = Object.entries(continuations).map(([key, { value }]) => ({ key, ...value }));
  all.sort((a, b) => b.sinceMs - a.sinceMs || (a.key < b.key ? 1 : -1));
  return all[0]?.key ?? null;
}

/** The end of a purchase that another one continues is not the end of the subscription. */
function takenOver(facts: SubscriptionFacts): ReplacedFact | null {
  const by = facts.replaced?.value ?? null;
  const latest = by && latestContinuation(facts);
  return latest === null || by?.ofKey === latest ? by : null;
}

/** @throws RangeError if the facts contain no period */
export function viewSubscription(known: SubscriptionFacts): SubscriptionView {
  const facts = effectiveFacts(known);
  const all = orderedPeriods(facts);
  const counting = countingPeriods(facts, all);
  const [first] = counting;
  const latest = counting.at(-1);
  if (!first || !latest) throw new RangeError('a subscription without a period has no state');
  const renewal = renewalAfter(latest, facts, counting);
  const hasBillingIssue = renewal.inRetry || renewal.graceUntilMs !== null;
  const graceEndsAtMs = renewal.graceUntilMs ?? facts.ends?.[latest.key]?.grace?.value ?? null;
  const revocation = revocationOf(facts, latest.key);
  const replaced = takenOver(facts);
  const cut =
    revocation !== null
      ? revocation.kind === 'family'
        ? 'family'
        : 'refund'
      : replaced !== null
        ? 'replaced'
        : null;
  return {
    facts,
    all,
    counting,
    additions: orderedAdditions(facts),
    addOns: orderedAddOns(facts, all),
    first,
    latest,
    renewal,
    hasBillingIssue,
    graceEndsAtMs,
    paidUntilMs: paidUntil(latest, renewal, hasBillingIssue),
    replaced,
    cut,
    cutAtMs: revocation?.revokedAtMs ?? replaced?.atMs ?? null,
    pending: facts.pending?.value ?? false,
    heldUntilMs: facts.heldUntilMs ?? null,
  };
}

/** Everything that was charged for, except add-ons. */
export function chargedPeriods({
  all,
  additions,
}: Pick<SubscriptionView, 'all' | 'additions'>): KeyedPeriod[] {
  return additions.length === 0 ? all : [...all, ...additions];
}

/** End of access, including grace, refund and replacement. Null: never. */
export function accessEnd({
  facts,
  latest,
  graceEndsAtMs,
  paidUntilMs,
  cutAtMs,
  heldUntilMs,
  renewal,
}: SubscriptionView): number | null {
  const later = [graceEndsAtMs, heldUntilMs, renewal.collectingUntilMs].filter((end) => end !== null);
  const withGrace = paidUntilMs === null ? null : Math.max(paidUntilMs, ...later);
  const shortened = facts.ends?.[latest.key]?.expired?.value ?? null;
  const ends = [withGrace, shortened, cutAtMs].filter((end) => end !== null);
  // Clocks may be wrong, but nothing ends before it started.
  return ends.length === 0 ? null : Math.max(latest.startMs, Math.min(...ends));
}
