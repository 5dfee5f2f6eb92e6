import { addPeriods, parsePeriod } from '../../kernel/index.js';

export interface Term {
  startMs: number;
  endMs: number;
  isTrial: boolean;
}

const TERM = /^(\d{1,3}) (day|week|month|year)s?$/i;
/** Fifty years of weeks. */
const MAX_TERMS = 2_600;

type EndAfter = (fromMs: number, count: number) => number;

function ending({ term, testTermMs }: Pick<TermFacts, 'term' | 'testTermMs'>): EndAfter | null {
  if (testTermMs !== undefined) return (fromMs, count) => fromMs + count * testTermMs;
  const [, number = '', unit = ''] = TERM.exec(term ?? '') ?? [];
  if (unit === '' || Number(number) === 0) return null;
  return (fromMs, count) => {
    const period = parsePeriod(`P${Number(number) * count}${unit[0]?.toUpperCase()}`);
    return period ? addPeriods(fromMs, period) : fromMs;
  };
}

/**
 * The terms from `fromMs` to about `untilMs`. Amazon only reports the start of a subscription and its next renewal.
 * Each start is computed from `fromMs`, so that later reads find the same terms.
 */
function termsUntil(endAfter: EndAfter | null, fromMs: number, untilMs: number, share: number): Term[] {
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
  /** The actual length of a term, if known to differ from `term`: test purchases renew after minutes. */
  testTermMs?: number;
}

export function paidFrom({ purchaseDate, freeTrialEndDate }: TermFacts): number {
  return Math.max(purchaseDate, freeTrialEndDate ?? purchaseDate);
}

/** Null if the term is unreadable. */
export function firstEnd(facts: TermFacts): number | null {
  return ending(facts)?.(paidFrom(facts), 1) ?? null;
}

/** End of the trial or term running at `atMs`, provided the subscription continues; null if unknown. */
export function runningEnd(facts: TermFacts, atMs: number): number | null {
  const fromMs = paidFrom(facts);
  const endAfter = ending(facts);
  if (atMs < fromMs || !endAfter) return atMs < fromMs ? fromMs : null;
  for (let count = 1; count <= MAX_TERMS; count++) {
    const endMs = endAfter(fromMs, count);
    if (endMs > atMs) return endMs;
  }
  return null;
}

const NOT_PAID = 2;
const REPLACED = 4;

/** All terms sorted by start; never empty. */
export function termsOf(facts: TermFacts): Term[] {
  const { purchaseDate, renewalDate, cancelDate, cancelReason } = facts;
  const endAfter = ending(facts);
  const fromMs = paidFrom(facts);
  const trial = fromMs > purchaseDate ? [{ startMs: purchaseDate, endMs: fromMs, isTrial: true }] : [];
  const paid = paidTerms(fromMs);
  if (trial.length + paid.length > 0) return [...trial, ...paid];
  return firstTerm(fromMs);

  function paidTerms(startMs: number): Term[] {
    if (renewalDate !== null) {
      const terms = termsUntil(endAfter, startMs, renewalDate, 0.5);
      const latest = terms.at(-1);
      // Use Amazon's own date: a charge may have been late.
      if (latest) latest.endMs = renewalDate;
      return terms;
    }
    if (cancelDate === null) return [];
    // A replaced subscription had started the term; an unpaid one only had grace.
    const share = cancelReason === REPLACED ? 0.001 : cancelReason === NOT_PAID ? 0.999 : 0.5;
    return termsUntil(endAfter, startMs, cancelDate, share);
  }

  function firstTerm(startMs: number): Term[] {
    const reportedMs = renewalDate !== null && renewalDate > startMs ? renewalDate : null;
    const endMs = reportedMs ?? endAfter?.(startMs, 1) ?? Math.max(startMs, cancelDate ?? startMs);
    return [{ startMs, endMs, isTrial: false }];
  }
}
