import { addPeriods, parsePeriod } from '../../kernel/index.js';

/** A stretch of time that was paid for, or given on trial. Times are epoch ms. */
export interface Term {
  startMs: number;
  endMs: number;
  isTrial: boolean;
}

const TERM = /^(\d{1,3}) (day|week|month|year)s?$/i;
/** Fifty years of weeks. */
const MAX_TERMS = 2_600;

/** Ends of so many terms after a time; null for a term that cannot be read. */
function ending(term: string | null): ((fromMs: number, count: number) => number) | null {
  const [, number = '', unit = ''] = TERM.exec(term ?? '') ?? [];
  if (unit === '' || Number(number) === 0) return null;
  return (fromMs, count) => {
    const period = parsePeriod(`P${Number(number) * count}${unit[0]?.toUpperCase()}`);
    return period ? addPeriods(fromMs, period) : fromMs;
  };
}

/**
 * The terms from `fromMs` until about `untilMs`: Amazon only tells where a subscription began and when it renews.
 * Each start is counted from `fromMs`, so that later questions find the same ones.
 */
function termsUntil(term: string | null, fromMs: number, untilMs: number, share: number): Term[] {
  const endAfter = ending(term);
  if (!endAfter) return [{ startMs: fromMs, endMs: untilMs, isTrial: false }];
  const terms: Term[] = [];
  for (let startMs = fromMs; terms.length < MAX_TERMS;) {
    const endMs = endAfter(fromMs, terms.length + 1);
    if (untilMs - startMs <= (endMs - startMs) * share) break;
    terms.push({ startMs, endMs, isTrial: false });
    startMs = endMs;
  }
  return terms;
}

export interface TermFacts {
  purchaseDate: number;
  freeTrialEndDate: number | null;
  renewalDate: number | null;
  cancelDate: number | null;
  cancelReason: number | null;
  term: string | null;
}

const NOT_PAID = 2;
const REPLACED = 4;

/** All terms of a subscription by start; never empty. */
export function termsOf(facts: TermFacts): Term[] {
  const { purchaseDate, freeTrialEndDate, renewalDate, cancelDate, cancelReason, term } = facts;
  const hasTrial = freeTrialEndDate !== null && freeTrialEndDate > purchaseDate;
  const fromMs = hasTrial ? freeTrialEndDate : purchaseDate;
  const trial = hasTrial ? [{ startMs: purchaseDate, endMs: fromMs, isTrial: true }] : [];
  const paid = paidTerms(fromMs);
  if (trial.length + paid.length > 0) return [...trial, ...paid];
  return firstTerm(fromMs);

  function paidTerms(startMs: number): Term[] {
    if (renewalDate !== null) {
      const terms = termsUntil(term, startMs, renewalDate, 0.5);
      const latest = terms.at(-1);
      // Amazon's own date: a charge may have come late.
      if (latest) latest.endMs = renewalDate;
      return terms;
    }
    if (cancelDate === null) return [];
    // Who is cut off for a replacement had begun the term; who did not pay had only grace.
    const share = cancelReason === REPLACED ? 0.001 : cancelReason === NOT_PAID ? 0.999 : 0.5;
    return termsUntil(term, startMs, cancelDate, share);
  }

  function firstTerm(startMs: number): Term[] {
    const endMs = ending(term)?.(startMs, 1) ?? Math.max(startMs, renewalDate ?? cancelDate ?? startMs);
    return [{ startMs, endMs, isTrial: false }];
  }
}
