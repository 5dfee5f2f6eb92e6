import { ManualClock } from '../../libs/kernel/index.js';
import { arrangeStoreApp, type StoreWorld } from './arrange-store-app.js';
import { FakeStripe, type FakeEvent, fakePrices } from './fake-stripe/fake-stripe.js';
import { FakeStripeApi } from './fake-stripe/fake-stripe-api.js';
import type { Answer } from './api-client.js';
import { startTestServer, TEST_START_MS, type TestServerOptions } from './test-server.js';

/** A server, a Stripe account, and a project with an app that sells with it. */
export interface StripeWorld extends StoreWorld {
  stripe: FakeStripe;
  api: FakeStripeApi;
  /** Sends an event and processes the inbox. */
  notify(event: FakeEvent): Promise<Answer>;
  /** Sends a body under any signature. */
  send(body: string, signature: string | null): Promise<Answer>;
}

export async function startStripeWorld({
  env = {},
  clock = new ManualClock(TEST_START_MS),
  logTo,
}: Pick<TestServerOptions, 'env' | 'clock' | 'logTo'> = {}): Promise<StripeWorld> {
  const stripe = new FakeStripe(clock);
  const api = new FakeStripeApi(stripe);
  await api.start();
  const server = await startTestServer({
    clock,
    env: { SERVICE_TEST_STORES: 'true', SERVICE_STRIPE_API_URL: api.url, ...env },
    logTo,
  });
  const { monthly, yearly, plus, coins, lifetime, book } = fakePrices;
  const world = await arrangeStoreApp(server, {
    type: 'stripe',
    platform: 'stripe',
    fields: { stripe_secret_key: stripe.secretKey, stripe_webhook_secret: stripe.webhookSecret },
    products: {
      [monthly.product]: 'subscription',
      [yearly.product]: 'subscription',
      [plus.product]: 'subscription',
      [coins.product]: 'consumable',
      [lifetime.product]: 'non_consumable',
      [book.product]: 'non_consumable',
    },
    unlocking: [monthly.product, yearly.product, plus.product, lifetime.product],
  });
  const send = async (body: string, signature: string | null): Promise<Answer> => {
    const headers = {
      'content-type': 'application/json',
      ...(signature !== null && { 'stripe-signature': signature }),
    };
    const answer = await server.http.send('POST', `/v1/notifications/stripe/${world.appId}`, body, headers);
    await world.process();
    return answer;
  };
  return {
    ...world,
    stripe,
    api,
    send,
    notify: ({ body }) => {
      // Answers within one millisecond are one observation.
      clock.advanceMs(1000);
      return send(body, stripe.signature(body));
    },
    async close() {
      await world.close();
      await api.close();
    },
  };
}
