import { type SubscriptionFacts, noSubscriptionFacts } from '../../engine/index.js';
import { subscriptionFacts } from './receipt-facts.js';
import type { AmazonReceipt } from './receipt-service.js';
import { withMissingDates } from './missing-dates.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);

const receipt: AmazonReceipt = {
  receiptId: 'r',
  productId: 'pro',
  productType: 'SUBSCRIPTION',
  purchaseDate: START_MS,
  cancelDate: null,
  cancelReason: null,
  quantity: 1,
  testTransaction: false,
  betaProduct: false,
  countryCode: 'US',
  autoRenewing: true,
  renewalDate: null,
  gracePeriodEndDate: null,
  freeTrialEndDate: null,
  term: '30 Days',
  termSku: 'pro_monthly',
  deferredSku: null,
  atIntroductoryPrice: false,
};

/** Returns the facts after reads at these times, in days, or in minutes for test purchases. */
function asked(
  answers: [at: number, changes: Partial<AmazonReceipt>][],
  unitMs = DAY_MS,
  from = noSubscriptionFacts,
): SubscriptionFacts {
  return answers.reduce<SubscriptionFacts>((known, [at, changes]) => {
    const atMs = START_MS + at * unitMs;
    const report = withMissingDates({ ...receipt, ...changes }, known, atMs);
    const facts = subscriptionFacts(report, null, atMs, known);
    return { ...facts, periods: { ...known.periods, ...facts.periods } };
  }, from);
}

const daysOf = ({ periods }: SubscriptionFacts, unitMs = DAY_MS): [string, number, number][] =>
  Object.values(periods)
    .map(({ value }) => value)
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ kind, startMs, endMs }) => [
      kind,
      (startMs - START_MS) / unitMs,
      ((endMs ?? NaN) - START_MS) / unitMs,
    ]);

const day = (count: number): number => START_MS + count * DAY_MS;
const off = { autoRenewing: false, renewalDate: null };

it('keeps a trial if its end is no longer reported', () => {
  const trial = { freeTrialEndDate: day(7), renewalDate: day(7) };
  const known = asked([
    [0, trial],
    [7, { renewalDate: day(37) }],
  ]);
  expect(daysOf(known)).toEqual([
    ['trial', 0, 7],
    ['normal', 7, 37],
  ]);
});

it('ends a trial that will not renew as a trial', () => {
  const trial = { freeTrialEndDate: day(7), renewalDate: day(7) };
  for (const freeTrialEndDate of [day(7), null]) {
    const known = asked([
      [0, trial],
      [3, { ...off, freeTrialEndDate }],
      [7.5, { ...off, freeTrialEndDate: null }],
      [12, { ...off, cancelDate: day(7), cancelReason: 1 }],
    ]);
    expect(daysOf(known)).toEqual([['trial', 0, 7]]);
  }
});

it('records every term up to the current one if renewal was off when first seen', () => {
  expect(daysOf(asked([[100, off]]))).toEqual([
    ['normal', 0, 30],
    ['normal', 30, 60],
    ['normal', 60, 90],
    ['normal', 90, 120],
  ]);
  expect(daysOf(asked([[3, { ...off, freeTrialEndDate: day(7) }]]))).toEqual([['trial', 0, 7]]);
});

it('adds no term to a subscription that will not renew while Amazon has not reported its end', () => {
  const known = asked([
    [0, { renewalDate: day(30) }],
    [10, off],
    [30.9, off],
  ]);
  expect(daysOf(known)).toEqual([['normal', 0, 30]]);
});

it('renews one that would not renew but is active a day after its end', () => {
  const known = asked([
    [0, { renewalDate: day(30) }],
    [10, off],
    [45, off],
  ]);
  expect(daysOf(known)).toEqual([
    ['normal', 0, 30],
    ['normal', 30, 60],
  ]);
});

it('corrects an end that was assumed too early after the next poll', () => {
  const tooEarly = subscriptionFacts(
    { ...receipt, ...off, renewalDate: day(30) },
    null,
    day(149),
    noSubscriptionFacts,
  );
  const known = asked([[150, off]], DAY_MS, tooEarly);
  expect(daysOf(known).at(-1)).toEqual(['normal', 150, 180]);
  expect(daysOf(known)).toHaveLength(6);
});

it('renews nothing in grace, even if the date is missing', () => {
  const inGrace = { renewalDate: null, gracePeriodEndDate: day(40) };
  expect(daysOf(asked([[0, { renewalDate: day(30) }], [35, inGrace]]))).toEqual([['normal', 0, 30]]); // prettier-ignore
});

it('keeps a known end while the term is unreadable', () => {
  const known = asked([[0, { renewalDate: day(30), term: null }], [40, { ...off, term: null }]]); // prettier-ignore
  expect(daysOf(known)).toEqual([['normal', 0, 30]]);
});

it('renews one that would renew and is active long after its end', () => {
  const renewing = { renewalDate: day(30) };
  expect(daysOf(asked([[0, renewing], [30.5, off]]))).toHaveLength(1); // prettier-ignore
  expect(daysOf(asked([[0, renewing], [40, off]]))).toHaveLength(2); // prettier-ignore
});

it('ends an ended subscription when Amazon says', () => {
  const ended = { ...off, cancelDate: day(60), cancelReason: 1 };
  expect(daysOf(asked([[0, { renewalDate: day(30) }], [61, ended]]))).toHaveLength(2); // prettier-ignore
});

it.each([
  ['of a beta', { betaProduct: true }],
  ['of a tester', { testTransaction: true }],
])('counts as many terms as renewals for a test %s, however short its months are', (_, test) => {
  const at = (minutes: number) => ({ ...test, renewalDate: START_MS + minutes * MINUTE_MS });
  const known = asked([[0, at(5)], [5, at(10)], [16, at(20)]], MINUTE_MS); // prettier-ignore
  expect(daysOf(known, MINUTE_MS).map(([, , end]) => end)).toEqual([5, 10, 15, 20]);
});

describe('an answer of Amazon that does not say whether the subscription renews', () => {
  const silent = { autoRenewing: null };
  const renewalOf = (...answers: [at: number, changes: Partial<AmazonReceipt>][]) =>
    asked(answers).renewal?.value;

  it('renews at first sight, unless Amazon names an end', () => {
    expect(renewalOf([40, silent])).toMatchObject({ autoRenew: true, cancelReason: null, ended: false });
    expect(renewalOf([10, { ...silent, cancelDate: day(30) }])).toMatchObject({ autoRenew: false });
  });

  it('leaves the last known answer as it is', () => {
    expect(renewalOf([1, off], [2, silent])).toMatchObject({ autoRenew: false, cancelReason: 'UNSUBSCRIBE' });
    expect(renewalOf([1, {}], [2, silent])).toMatchObject({ autoRenew: true, cancelReason: null });
  });
});
