import { webhookEventTypes } from '../../src/webhooks/events/event-types.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;

/** Events that only Google Play has. */
describe('the body of a webhook about a pause', () => {
  let world: PlayWorld;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await startPlayWorld();
    receiver = await startReceiver();
    const made = await world.backend.post(`${world.path}/integrations/webhooks`, {
      name: 'Everything',
      url: receiver.url,
      event_types: webhookEventTypes,
    });
    expect(made.status).toBe(201);
  });

  afterAll(async () => {
    await receiver.close();
    await world.close();
  });

  async function received(): Promise<Json[]> {
    world.clock.advanceMs(5);
    await world.server.app.get(DeliveryDispatcherService).drain();
    return receiver.requests.splice(0).map(({ body }) => JSON.parse(body).event);
  }

  it('names the period that it waits for while access continues, and its reason when it starts', async () => {
    const startMs = world.clock.nowMs();
    const bought = world.play.subscribe(playProducts.monthly);
    expect((await world.post('ann', bought.token)).status).toBe(200);
    const [purchase] = await received();
    const about = (type: string, sequence: number, fields: Json): Json => ({
      ...purchase,
      id: expect.any(String),
      type,
      sequence,
      event_timestamp_ms: expect.any(Number),
      price: 0,
      price_in_purchased_currency: 0,
      renewal_number: undefined,
      ...fields,
    });

    world.clock.advanceMs(startMs + 10 * DAY_MS - world.clock.nowMs());
    for (const type of bought.schedulePause()) await world.notify(bought.token, type);
    expect(await received()).toEqual([about('SUBSCRIPTION_PAUSED', 2, { auto_resume_at_ms: null })]);
    expect(await world.subscriptions('ann')).toMatchObject([{ gives_access: true }]);

    world.clock.advanceMs(startMs + 30.1 * DAY_MS - world.clock.nowMs());
    for (const type of bought.pause(20)) await world.notify(bought.token, type);
    expect(await received()).toEqual([about('EXPIRATION', 3, { expiration_reason: 'SUBSCRIPTION_PAUSED' })]);
    expect(await world.subscriptions('ann')).toMatchObject([{ gives_access: false }]);
  });
});
