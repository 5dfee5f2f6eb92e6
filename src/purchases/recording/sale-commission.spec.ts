import {
  type SubscriptionFacts,
  noOneTimeFacts,
  noSubscriptionFacts,
  type PeriodFact,
} from '../../../libs/engine/index.js';
import { oneTimeCommission, subscriptionCommission } from './sale-commission.js';

const START_MS = Date.UTC(2024, 1, 29);
const period: PeriodFact = {
  storeProductId: 'monthly',
  planId: null,
  offerCode: null,
  kind: 'normal',
  isRenewal: false,
  startMs: START_MS,
  endMs: Date.UTC(2024, 2, 29),
  price: { amountMicros: 9_990_000, currency: 'USD', source: 'store' },
  quantity: 1,
  ownership: 'purchased',
  storeTransactionId: 't',
  country: null,
};
const facts: SubscriptionFacts = {
  ...noSubscriptionFacts,
  periods: { t: { at: START_MS, src: 'signed', value: period } },
};

it.each([
  ['app_store', START_MS, 3000],
  ['app_store', Date.UTC(2025, 1, 28) - 1, 3000],
  ['app_store', Date.UTC(2025, 1, 28), 1500],
  ['mac_app_store', Date.UTC(2026, 0, 1), 1500],
  ['play_store', START_MS, 1500],
  ['play_store', Date.UTC(2026, 0, 1), 1500],
  ['test_store', Date.UTC(2026, 0, 1), 0],
] as const)('charges a period of %s sold at %d with %d basis points', (store, soldAtMs, bps) => {
  expect(subscriptionCommission(store, facts, null)(soldAtMs)).toBe(bps);
});

it('counts no first paid year for a subscriber without a payment', () => {
  expect(subscriptionCommission('app_store', noSubscriptionFacts, null)(Date.UTC(2030, 0, 1))).toBe(3000);
});

it('charges one-time sales the same at any time', () => {
  expect(oneTimeCommission('app_store', noOneTimeFacts, null)(Date.UTC(2030, 0, 1))).toBe(3000);
  expect(oneTimeCommission('play_store', noOneTimeFacts, null)(Date.UTC(2030, 0, 1))).toBe(1500);
});

describe('the agreement of an app', () => {
  const joined = { smallBusinessSinceMs: Date.UTC(2024, 3, 1), agreedBps: null };

  it.each([
    ['app_store', 1500, 1500],
    ['mac_app_store', 1500, 1500],
    ['amazon', 2000, 2000],
    ['play_store', 1500, 1500],
  ] as const)('lowers sales of %s from the day it joined the small business program', (store, one, other) => {
    const subscription = subscriptionCommission(store, facts, joined);
    const oneTime = oneTimeCommission(store, noOneTimeFacts, joined);
    expect([subscription, oneTime].map((commission) => commission(Date.UTC(2024, 3, 1)))).toEqual([
      one,
      other,
    ]);
    const before = Date.UTC(2024, 3, 1) - 1;
    expect(subscription(before)).toBe(subscriptionCommission(store, facts, null)(before));
    expect(oneTime(before)).toBe(oneTimeCommission(store, noOneTimeFacts, null)(before));
  });

  it.each([
    ['play_store', 1500, 3000],
    ['stripe', 3000, 3000],
    ['roku', 3000, 3000],
    ['app_store', 3000, 3000],
  ] as const)('sets the rate of %s', (store, ofSubscription, ofOneTime) => {
    const agreed = { smallBusinessSinceMs: null, agreedBps: 3000 };
    expect(subscriptionCommission(store, facts, agreed)(START_MS)).toBe(ofSubscription);
    expect(oneTimeCommission(store, noOneTimeFacts, agreed)(START_MS)).toBe(ofOneTime);
  });

  it('gives way to the fee that the store named', () => {
    const agreed = { smallBusinessSinceMs: null, agreedBps: 3000 };
    const charged = { t: { at: START_MS, src: 'api' as const, value: { ...period, feeMicros: 999_000 } } };
    expect(subscriptionCommission('paddle', { ...facts, periods: charged }, agreed)(START_MS)).toBe(1000);
  });
});
