import fc from 'fast-check';
import { addPeriods, parsePeriod } from '../../kernel/index.js';
import { termsOf } from './terms.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 31);

const facts = {
  purchaseDate: START_MS,
  freeTrialEndDate: null,
  renewalDate: null,
  cancelDate: null,
  cancelReason: null,
  term: '1 Month',
};

function after(fromMs: number, months: number): number {
  const period = parsePeriod(`P${months}M`);
  if (!period) throw new Error('no such period');
  return addPeriods(fromMs, period);
}

const lengths = (terms: { startMs: number; endMs: number }[]): number[] =>
  terms.map(({ startMs, endMs }) => Math.round((endMs - startMs) / DAY_MS));

it('months follow the calendar, counted from the first day', () => {
  const renewalDate = Date.UTC(2026, 3, 30);
  expect(lengths(termsOf({ ...facts, renewalDate }))).toEqual([28, 31, 30]);
});

it('puts a trial first, then paid terms', () => {
  const freeTrialEndDate = START_MS + 7 * DAY_MS;
  const inTrial = termsOf({ ...facts, freeTrialEndDate, renewalDate: freeTrialEndDate });
  expect(inTrial).toEqual([{ startMs: START_MS, endMs: freeTrialEndDate, isTrial: true }]);
  const later = termsOf({ ...facts, freeTrialEndDate, renewalDate: after(freeTrialEndDate, 2) });
  expect(later.map(({ isTrial }) => isTrial)).toEqual([true, false, false]);
});

it.each([
  ['by the customer, at the end of the second', 1, 59, 2],
  ['by Amazon, after unpaid grace', 2, 45, 1],
  ['for another, in the middle of the second', 4, 45, 2],
  ['for a reason not known, soon after the first', 0, 30, 1],
  ['at once', 1, 0, 1],
])('terms of a subscription that ended %s', (_, cancelReason, days, count) => {
  const cancelDate = START_MS + days * DAY_MS;
  expect(termsOf({ ...facts, cancelDate, cancelReason })).toHaveLength(count);
});

it('counts an unreadable term as one term', () => {
  const renewalDate = START_MS + 100 * DAY_MS;
  for (const term of [null, '', 'monthly', '0 Months', '1 Fortnight']) {
    expect(termsOf({ ...facts, term, renewalDate })).toEqual([
      { startMs: START_MS, endMs: renewalDate, isTrial: false },
    ]);
  }
});

it('starts known terms at the same times whenever Amazon is asked', () => {
  const term = fc.constantFrom('1 Week', '2 Weeks', '1 Month', '3 Months', '1 Year');
  const days = fc.integer({ min: 0, max: 3000 });
  const trial = fc.option(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(term, days, days, trial, (name, first, more, trialDays) => {
      const freeTrialEndDate = trialDays === null ? null : START_MS + trialDays * DAY_MS;
      const at = (count: number) =>
        termsOf({ ...facts, term: name, freeTrialEndDate, renewalDate: START_MS + count * DAY_MS });
      const early = at(first);
      const late = at(first + more);
      expect(late.slice(0, early.length).map(({ startMs }) => startMs)).toEqual(
        early.map(({ startMs }) => startMs),
      );
      for (const [index, { startMs, endMs }] of late.entries()) {
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        if (index < late.length - 1) expect(late[index + 1]?.startMs).toBe(endMs);
      }
    }),
  );
});
