import { deliveredShare, failingSince, healthOf } from './webhook-health.js';
import type { Delivery, FailingWebhook, WebhookState } from './webhooks.queries.js';

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

  it('shows no share of nothing', () => {
    expect(deliveredShare(state())).toBeNull();
    expect(deliveredShare(state({ delivered_24h: 3, failed_24h: 1 }))).toBe(0.75);
  });

  it('fails since the oldest delivery after the last one that arrived', () => {
    const delivery = (status: Delivery['status'], attempts: number, created_at: number) =>
      ({ status, attempts, created_at }) as Delivery;
    expect(failingSince([delivery('delivered', 1, 4), delivery('failed', 6, 3)])).toBeNull();
    expect(
      failingSince([
        delivery('pending', 0, 5),
        delivery('pending', 1, 4),
        delivery('failed', 6, 3),
        delivery('delivered', 1, 2),
        delivery('failed', 6, 1),
      ]),
    ).toBe(3);
    expect(failingSince([delivery('pending', 0, 5)])).toBeNull();
  });
});
