import type { AddOnFact, PeriodFact, PeriodTerms, SubscriptionFacts } from '../../engine/index.js';
import type { Settle } from '../contract.js';
import type { StripeFacts } from './subscription-facts.js';

/** Add-ons that were removed before any invoice named them. */
function forgotten(
  facts: SubscriptionFacts,
  known: SubscriptionFacts,
  goneByMs: number,
): [key: string, addOn: AddOnFact][] {
  return Object.entries(known.addOns ?? {})
    .filter(([key, { value }]) => !facts.addOns?.[key] && (value.endMs ?? Infinity) > goneByMs)
    .map(([key, { value }]) => [key, value]);
}

/** A subscription only shows its current product, so a past period keeps its known product. */
function withKnownProducts(
  { periods }: SubscriptionFacts,
  known: SubscriptionFacts,
  pastKeys: string[],
): SubscriptionFacts['periods'] {
  const settled = { ...periods };
  for (const key of pastKeys) {
    const [reported, before] = [periods[key], known.periods[key]];
    if (!reported || !before) continue;
    const { storeProductId, planId, quantity } = before.value;
    settled[key] = { ...reported, value: { ...reported.value, storeProductId, planId, quantity } };
  }
  return settled;
}

/** Known changes that Stripe's objects no longer show, or show without their time. */
function withKnownTerms(
  { periods }: SubscriptionFacts,
  known: SubscriptionFacts,
  settledBefore: SubscriptionFacts['periods'],
  at: number,
): SubscriptionFacts['periods'] {
  const settled = { ...settledBefore };
  for (const [key, reported] of Object.entries(periods)) {
    const before = known.periods[key]?.value.terms;
    if (!before) continue;
    const terms = termsTogether(reported.value, before, at);
    const { storeProductId, planId, quantity } = terms.at(-1) ?? reported.value;
    settled[key] = { ...reported, value: { ...reported.value, storeProductId, planId, quantity, terms } };
  }
  return settled;
}

const SAME_MS = 1_000;

function termsTogether(
  { startMs, storeProductId, planId, quantity, terms: reported }: PeriodFact,
  before: PeriodTerms[],
  at: number,
): PeriodTerms[] {
  const said = reported ?? [{ sinceMs: startMs, storeProductId, planId, quantity, valueMicros: null }];
  const isSame = (a: PeriodTerms, b: PeriodTerms): boolean =>
    a.planId === b.planId && a.storeProductId === b.storeProductId && a.quantity === b.quantity;
  // An item without history started when it was first read.
  const timed = said.filter(({ sinceMs }) => sinceMs < at);
  const isTimed = (term: PeriodTerms): boolean =>
    timed.some(
      (one) =>
        Math.abs(one.sinceMs - term.sinceMs) < SAME_MS || (isSame(one, term) && one.sinceMs < term.sinceMs),
    );
  const together = [...timed, ...before.filter((term) => !isTimed(term))].sort(
    (a, b) => a.sinceMs - b.sinceMs,
  );
  const last = said.at(-1);
  const end = together.at(-1);
  if (last && last.sinceMs >= at && !(end && isSame(end, last))) together.push(last);
  return together;
}

/** An end at an unknown time is dated by its first read; past products stay. */
export function inLightOfKnown(
  { guessedEnds, pastKeys }: Pick<StripeFacts, 'guessedEnds' | 'pastKeys'>,
  at: number,
): Settle<SubscriptionFacts> {
  return (facts, known) => {
    const ends = { ...facts.ends };
    const addOns = { ...facts.addOns };
    const endedMs = ends[facts.renewal?.value.periodKey ?? '']?.expired?.value ?? at;
    const goneByMs = Math.min(at, endedMs);
    for (const [key, value] of forgotten(facts, known, goneByMs)) {
      addOns[key] = { at, src: 'api', value: { ...value, renews: false } };
      const before = known.ends?.[key]?.expired?.value ?? null;
      ends[key] = { expired: { at, src: 'api', value: before ?? goneByMs } };
    }
    for (const key of guessedEnds) {
      const before = known.ends?.[key]?.expired?.value ?? null;
      const expired = ends[key]?.expired;
      if (expired && before !== null && before < (expired.value ?? before)) {
        ends[key] = { ...ends[key], expired: { ...expired, value: before } };
      }
    }
    const periods = withKnownTerms(facts, known, withKnownProducts(facts, known, pastKeys), at);
    return { ...facts, periods, ends, ...(Object.keys(addOns).length > 0 && { addOns }) };
  };
}
