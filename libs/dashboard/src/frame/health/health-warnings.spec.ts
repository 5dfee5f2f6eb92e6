import { healthWarnings } from './health-warnings.js';
import type { SetupHealth } from './setup-health.queries.js';

const app: SetupHealth['apps'][number] = {
  id: 'app1',
  name: 'Acme iOS',
  type: 'app_store',
  notification_url: 'https://tenure.example.com/notifications',
  last_notification_at: null,
  last_notification_received_at: null,
  last_notification_error: null,
  notification_status: 'ready',
  credentials_configured: true,
  credentials_error: null,
  notifications_hint: null,
  receipts_hint: null,
  refused_refund_answer: null,
  refused_external_report: null,
  external_report_hints: [],
  refund_hints: [],
};
const health = (changes: Partial<SetupHealth> = {}): SetupHealth => ({
  object: 'setup_health',
  project_id: 'proj1',
  checked_at: 0,
  apps: [app],
  webhooks: {
    total: 0,
    attempted_24h: 0,
    delivered_24h: 0,
    failed_24h: 0,
    pending: 0,
    delivered_percent_24h: null,
    failing: [],
  },
  sdk_versions: [],
  warnings: [],
  unknown_products: [],
  rentals_without_duration: [],
  unknown_store_values: [],
  ...changes,
});
const ofApp = (changes: Partial<typeof app>) => healthWarnings(health({ apps: [{ ...app, ...changes }] }));

describe('warnings of the set-up', () => {
  it('shows none if everything works', () => {
    expect(healthWarnings(health())).toEqual([]);
  });

  it('does not wait for notifications of an app without credentials or without an address', () => {
    expect(ofApp({ notification_status: 'waiting' })).toMatchObject([{ id: 'app1:waiting', tone: 'warn' }]);
    expect(ofApp({ notification_status: 'waiting', notification_url: null })).toEqual([]);
    expect(ofApp({ notification_status: 'waiting', credentials_configured: false })).toMatchObject([
      { id: 'app1:credentials', cure: { page: 'app', appId: 'app1' } },
    ]);
  });

  it("carries the store's own words", () => {
    expect(ofApp({ credentials_error: { since: 1, message: 'Key ABC was revoked.' } })).toMatchObject([
      { tone: 'bad', subject: 'Acme iOS', text: 'Key ABC was revoked.' },
    ]);
    expect(
      ofApp({
        notification_status: 'failing',
        last_notification_error: { at: 1, type: 'signature', message: 'Wrong signature.' },
      }),
    ).toMatchObject([{ text: 'The last store notification failed: Wrong signature.' }]);
  });

  it('names the switch at the store that signs notifications', () => {
    const message = 'Switch on signature authentication.';
    expect(
      ofApp({
        notification_status: 'unsigned',
        last_notification_error: { at: 1, type: 'rejected', message },
      }),
    ).toMatchObject([{ id: 'app1:unsigned', tone: 'bad', text: message }]);
  });

  it('names why Apple refused the answer to a refund request', () => {
    const refused = { at: 1, message: 'Invalid deliveryStatus. (4000036)' };
    expect(healthWarnings(health({ apps: [{ ...app, refused_refund_answer: refused }] }))).toMatchObject([
      { text: 'Apple refused the answer to a refund request: Invalid deliveryStatus. (4000036)' },
    ]);
  });

  it('names why a store refused a report about an outside purchase', () => {
    const refused = { at: 1, message: 'Invalid taxCountry.' };
    expect(healthWarnings(health({ apps: [{ ...app, refused_external_report: refused }] }))).toMatchObject([
      { text: 'The store refused a report about an outside purchase: Invalid taxCountry.' },
    ]);
  });

  it('names what reports about outside purchases wait for', () => {
    const hints = ['A report about an outside purchase needs another token: bind one to the purchase.'];
    expect(healthWarnings(health({ apps: [{ ...app, external_report_hints: hints }] }))).toMatchObject([
      { tone: 'warn', text: hints[0], cure: { page: 'app', appId: app.id } },
    ]);
  });

  it('names each value of a store that the server does not know', () => {
    const value = {
      app_id: 'app1',
      app_name: 'Acme iOS',
      field: 'notificationType',
      value: 'NEW_TYPE',
      count: 3,
      first_seen_at: 1,
      last_seen_at: 2,
    };
    const warning = { type: 'unknown_store_value' as const, message: '', values: 1, last_seen_at: 2 };
    expect(healthWarnings(health({ unknown_store_values: [value], warnings: [warning] }))).toEqual([
      {
        id: 'app1:notificationType:NEW_TYPE',
        tone: 'warn',
        subject: 'Acme iOS',
        text: 'App Store sent a value this server does not know: notificationType = NEW_TYPE (3 times). It was stored and had no effect.',
        cure: { page: 'app', appId: 'app1' },
      },
    ]);
    const empty = { ...value, field: 'refund_without_revocation', value: '', count: 1 };
    const [warned] = healthWarnings(health({ unknown_store_values: [empty] }));
    expect(warned?.text).toContain('does not know: refund_without_revocation (once).');
  });

  it('says that phones do not reach the public address', () => {
    const address = 'http://localhost:8787';
    const message = `Phones cannot load paywalls and images from ${address}. Set SERVICE_PUBLIC_URL.`;
    const warning = { type: 'unreachable_address' as const, message, address };
    expect(healthWarnings(health({ warnings: [warning] }))).toEqual([
      { id: 'address', tone: 'warn', subject: address, text: message, cure: { page: 'paywalls' } },
    ]);
  });

  it('links to the page that fixes them, the worst first', () => {
    const found = healthWarnings(
      health({
        apps: [{ ...app, receipts_hint: 'Anyone could post it.' }],
        webhooks: {
          ...health().webhooks,
          failing: [
            {
              id: 'wh1',
              name: 'Backend',
              url: 'https://acme.example',
              last_status: 500,
              last_error: null,
              last_attempt_at: 1,
              delivery_status: 'pending',
            },
          ],
        },
        unknown_products: [
          { app_id: 'app1', app_name: 'Acme iOS', store_identifier: 'gold', transactions: 3, since: 1 },
        ],
        rentals_without_duration: [
          { app_id: 'app1', app_name: 'Acme Android', store_identifier: 'movie', purchases: 1 },
        ],
        warnings: [
          {
            type: 'unknown_currency',
            message: 'There is no exchange rate for XTS.',
            currency: 'XTS',
            transactions: 1,
            last_transaction_at: 1,
          },
        ],
      }),
    );
    expect(found.map(({ tone, subject, cure }) => [tone, subject, cure])).toEqual([
      ['bad', 'Backend', { page: 'webhook', webhookId: 'wh1' }],
      ['bad', 'Acme iOS', { page: 'products', appId: 'app1' }],
      ['bad', 'Acme Android', { page: 'products', appId: 'app1' }],
      ['warn', 'XTS', { page: 'transactions' }],
      ['accent', 'Acme iOS', { page: 'app', appId: 'app1' }],
    ]);
    expect(found[0]?.text).toBe('The last delivery failed: status 500');
    expect(found[1]?.text).toContain('gold was bought 3 times');
    expect(found[2]?.text).toContain('movie was rented once');
  });
});
