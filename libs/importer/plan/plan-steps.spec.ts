import type { PlanApp, PlanFacts } from './plan.model.js';
import { planSteps, planText } from './plan-steps.js';

const app = (changes: Partial<PlanApp> = {}): PlanApp => ({
  id: 'app1',
  name: 'iOS',
  type: 'app_store',
  credentialsConfigured: true,
  credentialsError: null,
  notificationUrl: 'https://tenure.example.com/notifications/app1',
  notificationStatus: 'ready',
  forwardUrl: 'https://vendor.example.com/app1',
  lastForwardStatus: 200,
  trackNewPurchases: true,
  hasSourceKey: true,
  ...changes,
});

const status = {
  customers: 120,
  subscriptions: 40,
  needs_token_refresh: 0,
  needs_token_refresh_by_app: {},
  unconfirmed_original_ids: 0,
  last_import_at: 1,
};

const facts = (changes: Partial<PlanFacts> = {}): PlanFacts => ({
  target: { url: 'https://tenure.example.com', project: 'projB' },
  sourceProject: 'projA',
  apps: [app()],
  status,
  webhooks: 1,
  currencies: [],
  ...changes,
});

describe('the plan of a migration', () => {
  const step = (given: PlanFacts, title: string) =>
    planSteps(given).find((each) => each.title.startsWith(title));

  it('numbers its steps in the order of the guide', () => {
    const steps = planSteps(facts());
    expect(steps.map((each) => each.step)).toEqual(steps.map((_, index) => index + 1));
    expect(steps.map(({ title, done }) => [title, done])).toEqual([
      ['Import', true],
      ['Enter store credentials', true],
      ['Import again with store credentials', true],
      ['Refresh the statistics of the database', null],
      ['Keep the public keys', true],
      ['Forward notifications of iOS (app1) to the source', true],
      ['Notifications of iOS (app1)', true],
      ['Record purchases of old app versions', true],
      ['Send webhooks to a receiver that only logs', true],
      ['Import again every night', null],
      ['Compare both sides', null],
      ['Release the app for Apple with the new address', null],
      ['Move the backend', null],
      ['Set the product grants of virtual currencies', true],
      ['Stop forwarding and nightly imports, delete the source key', null],
      ['The way back', null],
    ]);
  });

  it.each<[string, Partial<PlanFacts>, string, boolean | null, RegExp]>([
    [
      'nothing was imported',
      { status: { ...status, last_import_at: null } },
      'Import',
      false,
      /120 customers/,
    ],
    [
      'credentials are missing',
      { apps: [app({ credentialsConfigured: false })] },
      'Enter store',
      false,
      /Missing: iOS \(app1\)/,
    ],
    [
      'a store refuses them',
      { apps: [app({ credentialsError: 'The key is revoked.' })] },
      'Enter store',
      false,
      /refuses those of iOS \(app1\): The key is revoked/,
    ],
    ['the key may not see them', { apps: [app({ credentialsConfigured: null })] }, 'Enter store', null, /./],
    [
      'tokens are missing',
      { status: { ...status, needs_token_refresh: 3 } },
      'Import again with',
      false,
      /^3 /,
    ],
    ['the key may not read the status', { status: null }, 'Import', null, /may not read/],
    ['a public key differs', { apps: [app({ hasSourceKey: false })] }, 'Keep the public', false, /iOS/],
    ['there is no source', { apps: [app({ hasSourceKey: null })] }, 'Keep the public', null, /--source-key/],
    ['nothing is forwarded', { apps: [app({ forwardUrl: null })] }, 'Forward', false, /one address/],
    ['forwarding fails', { apps: [app({ lastForwardStatus: 500 })] }, 'Forward', false, /was 500/],
    [
      'no notification came',
      { apps: [app({ notificationStatus: 'waiting' })] },
      'Notifications',
      false,
      /waiting/,
    ],
    [
      'tracking is off',
      { apps: [app({ trackNewPurchases: false })] },
      'Record',
      false,
      /track_new_purchases on: iOS/,
    ],
    ['there is no webhook', { webhooks: 0 }, 'Send webhooks', false, /^0 /],
    [
      'grants of a currency are missing',
      { currencies: [{ code: 'GLD', hasGrantsAtTarget: false, hasGrantsAtSource: true }] },
      'Set the product grants',
      false,
      /Missing: GLD/,
    ],
  ])('says that %s', (_, changes, title, done, detail) => {
    const found = step(facts(changes), title);
    expect(found?.done).toBe(done);
    expect(found?.detail).toMatch(detail);
  });

  it('gives commands with the ids and addresses of this project', () => {
    const given = facts({ apps: [app({ forwardUrl: null, trackNewPurchases: false })] });
    expect(step(given, 'Forward')?.command).toBe(
      `curl -X POST https://tenure.example.com/v2/projects/projB/apps/app1 -H "Authorization: Bearer $TENURE_KEY" -H "Content-Type: application/json" -d '{"app_store":{"notification_forward_url":"<notification address of the source>"}}'`,
    );
  });

  it('gives Google Play a second push subscription and no forwarding', () => {
    const play = app({ type: 'play_store', name: 'Android', id: 'app2', notificationStatus: 'waiting' });
    const given = facts({ apps: [play] });
    expect(step(given, 'Forward')).toBeUndefined();
    expect(step(given, 'Notifications of Android')?.command).toContain(
      'gcloud pubsub subscriptions create tenure-app2',
    );
    expect(step(given, 'Release the app for Android')?.command).toBe(
      'Purchases.proxyURL = URL("https://tenure.example.com")',
    );
    expect(step(given, 'Release the app for Apple')).toBeUndefined();
  });

  it('leaves out notifications that this server does not take', () => {
    const given = facts({
      apps: [app({ type: 'test_store', notificationUrl: null, credentialsConfigured: false })],
    });
    expect(step(given, 'Notifications')).toBeUndefined();
    expect(step(given, 'Enter store credentials')?.done).toBe(true);
  });

  it('prints a mark for each step, and commands only for open ones', () => {
    const text = planText(planSteps(facts({ status: null })), facts());
    expect(text).toContain(' 1. [?] Import\n');
    expect(text).toContain(' 2. [x] Enter store credentials\n');
    expect(text).toContain('Moving to projB at https://tenure.example.com.');
    expect(text).not.toContain('-d \'{"name"');
  });
});
