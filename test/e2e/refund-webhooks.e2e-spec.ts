import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;

describe('webhooks about refund requests', () => {
  let world: AppStoreWorld;
  let named: Receiver;
  let everything: Receiver;

  beforeAll(async () => {
    world = await startAppStoreWorld();
    await world.configure({
      ...world.keyFields,
      refund_request_handling: 'decline',
      refund_data_consent: 'all_customers',
    });
    [named, everything] = [await startReceiver(), await startReceiver()];
    const types = ['refund_requested', 'refund_request_decided'];
    for (const [{ url }, event_types] of [
      [named, types],
      [everything, []],
    ] as const) {
      const body = { name: 'Backend', url, event_types };
      expect((await world.backend.post(`${world.path}/integrations/webhooks`, body)).status).toBe(201);
    }
  });
  beforeEach(() => {
    named.requests.length = 0;
    everything.requests.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await named.close();
    await everything.close();
  });

  const delivered = async ({ requests }: Receiver): Promise<Json[]> => {
    await world.server.app.get(DeliveryDispatcherService).drain();
    return requests.map(({ body }) => JSON.parse(body).event).sort((a, b) => a.sequence - b.sequence);
  };

  it('send the request and the decision, without a price, to endpoints that name the types', async () => {
    const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    await world.post('ada', subscription.signed());
    world.clock.advanceMs(1);
    await world.notify(subscription.askConsumption(undefined, 'UNINTENDED_PURCHASE'));
    const requestedAt = world.clock.nowMs();
    world.clock.advanceMs(HOUR_MS);
    const prorated = { revocationType: 'REFUND_PRORATED', revocationPercentage: 40_000 };
    await world.notify(subscription.refund(undefined, prorated));
    const { items } = (await world.backend.get(`${world.path}/refund_requests`)).body;

    const [requested, decided, ...others] = await delivered(named);
    expect(others).toEqual([]);
    const { latest, originalTransactionId } = subscription;
    const common = {
      id: expect.any(String),
      sequence: expect.any(Number),
      app_id: world.appId,
      app_user_id: 'ada',
      original_app_user_id: 'ada',
      aliases: ['ada'],
      store: 'APP_STORE',
      environment: 'PRODUCTION',
      product_id: fakeProducts.monthly.id,
      entitlement_ids: ['pro'],
      transaction_id: latest.transactionId,
      original_transaction_id: originalTransactionId,
      country_code: 'US',
      subscriber_attributes: {},
      refund_request_id: items[0].id,
      refund_reason: 'UNINTENDED_PURCHASE',
      requested_at_ms: requestedAt,
      deadline_at_ms: requestedAt + 12 * HOUR_MS,
      amount: 9.99,
      amount_in_usd: 9.99,
      currency: 'USD',
    };
    expect(requested).toEqual({ ...common, type: 'REFUND_REQUESTED', event_timestamp_ms: requestedAt });
    expect(decided).toEqual({
      ...common,
      type: 'REFUND_REQUEST_DECIDED',
      event_timestamp_ms: expect.any(Number),
      outcome: 'partially_refunded',
      preference_sent: 'decline',
      refunded_amount: 4,
      refunded_amount_in_usd: 4,
    });
    const types = (await delivered(everything)).map(({ type }) => type);
    expect(types).toContain('INITIAL_PURCHASE');
    expect(types.filter((type) => type.startsWith('REFUND_REQUEST'))).toEqual([]);
  });

  it('send nothing about a request without a customer', async () => {
    const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    await world.notify(subscription.askConsumption());
    await world.notify(subscription.declineRefund());
    expect(await delivered(named)).toEqual([]);
  });
});
