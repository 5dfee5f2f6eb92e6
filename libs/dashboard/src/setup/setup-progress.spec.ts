import type { SetupHealth } from '../frame/health/setup-health.queries.js';
import {
  appOf,
  finishedSteps,
  latestSdk,
  purchaseIn,
  setupSteps,
  type SetupStep,
  stepsInHand,
} from './setup-progress.js';
import type { App, Transaction } from './setup.queries.js';

const healthWith = (...seen: number[]) =>
  ({
    sdk_versions: seen.map((at) => ({ platform: 'iOS', version: `5.${at}`, last_seen_at: at })),
  }) as unknown as SetupHealth;
const transaction = (changes: Partial<Transaction>) =>
  ({ id: 'txn1', customer_id: 'ada', product_identifier: 'pro_monthly', ...changes }) as Transaction;
const app = (id: string, type: string) => ({ id, type }) as App;

describe('the progress of the set-up', () => {
  it('knows the SDK that called last', () => {
    expect(latestSdk(healthWith(3, 9, 5))?.version).toBe('5.9');
    expect(latestSdk(healthWith())).toBeNull();
  });

  it('takes a purchase from a transaction with its product and customer', () => {
    expect(purchaseIn(transaction({}))).toEqual({
      transactionId: 'txn1',
      product: 'pro_monthly',
      appUserId: 'ada',
    });
    expect(purchaseIn(transaction({ product_identifier: null }))).toBeNull();
    expect(purchaseIn(transaction({ customer_id: null }))).toBeNull();
    expect(purchaseIn(null)).toBeNull();
  });

  it('uses the chosen app, a Test Store, or the first', () => {
    const apps = [app('a', 'app_store'), app('b', 'test_store')];
    expect(appOf(apps, 'a')?.id).toBe('a');
    expect(appOf(apps, 'gone')?.id).toBe('b');
    expect(appOf([app('a', 'app_store')], undefined)?.id).toBe('a');
    expect(appOf([], undefined)).toBeUndefined();
  });

  it('takes a product, an entitlement and an offering to sell', () => {
    const packages = { items: [{ products: { items: [{}] } }] };
    const catalog = { products: [{}], entitlements: [{}], offerings: [{ packages }] } as never;
    const known = {
      app: app('a', 'test_store'),
      catalog,
      health: healthWith(1),
      transaction: transaction({}),
    };
    expect([...finishedSteps(known)]).toEqual([...setupSteps]);
    expect([
      ...finishedSteps({ ...known, catalog: undefined, transaction: null, health: healthWith() }),
    ]).toEqual(['app']);
  });

  it.each<[SetupStep[], SetupStep[]]>([
    [[], ['app']],
    [['app'], ['catalog']],
    [
      ['app', 'catalog'],
      ['sdk', 'purchase'],
    ],
    [
      ['app', 'catalog', 'purchase'],
      ['sdk', 'purchase'],
    ],
    [['app', 'catalog', 'sdk'], ['purchase']],
    [['app', 'catalog', 'sdk', 'purchase'], ['purchase']],
  ])('opens after %j: %j', (finished, open) => {
    expect([...stepsInHand(new Set(finished))]).toEqual(open);
  });
});
