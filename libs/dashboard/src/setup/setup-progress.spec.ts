import type { SetupHealth } from '../frame/setup-health.queries.js';
import {
  appOf,
  finishedSteps,
  latestSdk,
  purchaseIn,
  setupSteps,
  type SetupStep,
  stepsInHand,
} from './setup-progress.js';
import type { App, RecordedEvent } from './setup.queries.js';

const healthWith = (...seen: number[]) =>
  ({
    sdk_versions: seen.map((at) => ({ platform: 'iOS', version: `5.${at}`, last_seen_at: at })),
  }) as unknown as SetupHealth;
const event = (changes: Partial<RecordedEvent>) =>
  ({ id: 'ev1', app_user_id: 'ada', customer_id: 'ada', body: {}, ...changes }) as RecordedEvent;
const app = (id: string, type: string) => ({ id, type }) as App;

describe('the progress of the set-up', () => {
  it('knows the SDK that called last', () => {
    expect(latestSdk(healthWith(3, 9, 5))?.version).toBe('5.9');
    expect(latestSdk(healthWith())).toBeNull();
  });

  it('takes a purchase from an event that names a product', () => {
    expect(purchaseIn(event({ body: { product_id: 'pro_monthly' } }))).toEqual({
      eventId: 'ev1',
      product: 'pro_monthly',
      appUserId: 'ada',
    });
    expect(purchaseIn(event({ body: {} }))).toBeNull();
    expect(purchaseIn(event({ body: { product_id: 'x' }, app_user_id: null, customer_id: null }))).toBeNull();
    expect(purchaseIn(null)).toBeNull();
  });

  it('is about the chosen app, a Test Store, or the first', () => {
    const apps = [app('a', 'app_store'), app('b', 'test_store')];
    expect(appOf(apps, 'a')?.id).toBe('a');
    expect(appOf(apps, 'gone')?.id).toBe('b');
    expect(appOf([app('a', 'app_store')], undefined)?.id).toBe('a');
    expect(appOf([], undefined)).toBeUndefined();
  });

  it('takes a product, an entitlement and an offering to sell', () => {
    const catalog = { products: [{}], entitlements: [{}], offerings: [{}] } as never;
    const known = { app: app('a', 'test_store'), catalog, health: healthWith(1), event: event({}) };
    expect([...finishedSteps(known)]).toEqual([...setupSteps]);
    expect([...finishedSteps({ ...known, catalog: undefined, event: null, health: healthWith() })]).toEqual([
      'app',
    ]);
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
  ])('after %j opens %j', (finished, open) => {
    expect([...stepsInHand(new Set(finished))]).toEqual(open);
  });
});
