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
] as const)('a period of %s sold at %d costs %d basis points', (store, soldAtMs, bps) => {
  expect(subscriptionCommission(store, facts)(soldAtMs)).toBe(bps);
});

it('a subscriber without a payment has no first paid year', () => {
  expect(subscriptionCommission('app_store', noSubscriptionFacts)(Date.UTC(2030, 0, 1))).toBe(3000);
});

it('one-time sales cost the same at any time', () => {
  expect(oneTimeCommission('app_store', noOneTimeFacts)(Date.UTC(2030, 0, 1))).toBe(3000);
  expect(oneTimeCommission('play_store', noOneTimeFacts)(Date.UTC(2030, 0, 1))).toBe(1500);
});
