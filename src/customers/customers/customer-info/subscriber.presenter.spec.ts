import {
  noSubscriptionFacts,
  type Store,
  type Subscription,
  type SubscriptionState,
} from '../../../../libs/engine/index.js';
import { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { CustomerPurchases, OwnedSubscription } from './customer-purchases.js';
import type { CustomerRow, SubscriptionRow } from '../identity/customer-state.js';
import { presentSubscriber } from './subscriber.presenter.js';

const DAY_MS = 86_400_000;
const customer: Partial<CustomerRow> = {
  firstSeenAtMs: 0,
  originalAppUserId: 'ada',
  originalApplicationVersion: null,
  originalPurchaseAtMs: null,
};
const catalog = new Catalog('proj', {
  version: 1,
  transferBehavior: 'transfer',
  sandboxTransferBehavior: null,
  hasOfferingOverrides: false,
  hasImports: false,
  apps: [],
  products: [],
  entitlements: [],
  productEntitlements: [],
  offerings: [],
  paywalls: [],
  uiConfigRefs: null,
  currencies: [],
  holdoutPercentage: 0,
  sdkEvents: 'essential',
  targetingRules: [],
  experiments: [],
});

interface Life {
  id: string;
  startsOnDay: number;
  endsOnDay: number | null;
  store?: Store;
}

function owned({ id, startsOnDay, endsOnDay, store = 'app_store' }: Life): OwnedSubscription {
  const subscription: Partial<Subscription> = {
    id,
    store,
    environment: 'production',
    facts: noSubscriptionFacts,
  };
  const state: Partial<SubscriptionState> = {
    storeProductId: 'monthly',
    planId: 'plan',
    startedAtMs: startsOnDay * DAY_MS,
    periodStartedAtMs: startsOnDay * DAY_MS,
    accessEndsAtMs: endsOnDay === null ? null : endsOnDay * DAY_MS,
    autoResumeAtMs: null,
    billingIssueAtMs: null,
    graceEndsAtMs: null,
    refundedAtMs: null,
    unsubscribeAtMs: null,
    price: { amountMicros: null, currency: null, source: 'unknown' },
    latestStoreTransactionId: id,
    addOns: [],
  };
  return { row: { id } as SubscriptionRow, subscription, state } as unknown as OwnedSubscription;
}

function presented(...lives: Life[]): Record<string, { store_transaction_id: string }> {
  const purchases: CustomerPurchases = { subscriptions: lives.map(owned), oneTime: [], entitlements: [] };
  const subscriber = presentSubscriber(customer as CustomerRow, purchases, catalog, null);
  return (subscriber as { subscriptions: Record<string, { store_transaction_id: string }> }).subscriptions;
}

describe('subscriptions of one product', () => {
  const early = { id: 'early', startsOnDay: 1, endsOnDay: 31 };

  it.each<[string, Life, Life, string]>([
    ['the longer access', early, { id: 'late', startsOnDay: 2, endsOnDay: 30 }, 'early'],
    [
      'access without an end',
      { ...early, endsOnDay: null },
      { id: 'late', startsOnDay: 2, endsOnDay: 60 },
      'early',
    ],
    ['the newer one if both end together', early, { id: 'late', startsOnDay: 2, endsOnDay: 31 }, 'late'],
    [
      'the newer one if none ends',
      { ...early, endsOnDay: null },
      { id: 'late', startsOnDay: 2, endsOnDay: null },
      'late',
    ],
  ])('shows %s', (_, one, other, shown) => {
    expect(presented(one, other).monthly?.store_transaction_id).toBe(shown);
    expect(presented(other, one).monthly?.store_transaction_id).toBe(shown);
  });
});

it.each<[Store, string | undefined]>([
  ['play_store', 'plan'],
  ['app_store', undefined],
  ['stripe', undefined],
  ['paddle', undefined],
])('names for %s the plan of a subscription: %s', (store, plan) => {
  const subscription = presented({ id: 'one', startsOnDay: 1, endsOnDay: 31, store }).monthly;
  expect((subscription as { product_plan_identifier?: string }).product_plan_identifier).toBe(plan);
});
