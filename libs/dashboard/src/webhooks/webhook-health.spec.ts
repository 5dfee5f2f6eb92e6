import { healthOf } from './webhook-health.js';
import type { FailingWebhook, WebhookState } from './webhooks.queries.js';

const state = (more: Partial<WebhookState> = {}): WebhookState => ({
  object: 'webhook_state',
  id: 'wh_1',
  enabled: true,
  circuit: 'closed',
  delivered_24h: 0,
  failed_24h: 0,
  pending: 0,
  ...more,
});
const failing = { last_error: null, last_status: 500 } as FailingWebhook;

describe('how a webhook is', () => {
  it.each([
    [state(), undefined, 'delivering', null],
    [state(), failing, 'failing', 'HTTP 500'],
    [state(), { ...failing, last_status: null, last_error: 'timeout' }, 'failing', 'timeout'],
    [state({ circuit: 'open' }), failing, 'open', 'HTTP 500'],
    [state({ circuit: 'open', enabled: false }), failing, 'paused', 'HTTP 500'],
  ])('%j with %j is %s', (given, last, expected, error) => {
    expect(healthOf(given, last)).toMatchObject({ state: expected, error });
  });
});
