import { ManualClock } from '../../libs/kernel/index.js';
import type { Answer } from './api-client.js';
import { arrangeStoreApp, type StoreWorld } from './arrange-store-app.js';
import { FakeAmazon, fakeSkus } from './fake-amazon/fake-amazon.js';
import { FakeSns, type SnsFields } from './fake-amazon/fake-sns.js';
import { startTestServer, TEST_START_MS } from './test-server.js';

/** A server, an Amazon Appstore with its notification service, and a project with an app in it. */
export interface AmazonWorld extends StoreWorld {
  amazon: FakeAmazon;
  sns: FakeSns;
  /** Sends a notification of the store and processes the inbox. */
  notify(message: string): Promise<Answer>;
  /** Sends any message of SNS. */
  send(message: SnsFields | string): Promise<Answer>;
}

export async function startAmazonWorld(): Promise<AmazonWorld> {
  const clock = new ManualClock(TEST_START_MS);
  const amazon = new FakeAmazon(clock);
  const sns = new FakeSns(clock);
  await Promise.all([amazon.start(), sns.start()]);
  const server = await startTestServer({
    clock,
    env: {
      SERVICE_TEST_STORES: 'true',
      SERVICE_AMAZON_RVS_URL: amazon.url,
      SERVICE_AMAZON_SNS_URL: sns.url,
    },
  });
  const { monthly, yearly, coins, lifetime } = fakeSkus;
  const world = await arrangeStoreApp(server, {
    type: 'amazon',
    platform: 'amazon',
    fields: { package_name: amazon.packageName, shared_secret: amazon.secret },
    products: {
      [monthly.termSku]: 'subscription',
      [yearly.termSku]: 'subscription',
      [coins.productId]: 'consumable',
      [lifetime.productId]: 'non_consumable',
    },
    unlocking: [monthly.termSku, yearly.termSku, lifetime.productId],
  });
  const send = async (message: SnsFields | string): Promise<Answer> => {
    // The inbox is read in the order of arrival.
    clock.advanceMs(1);
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const headers = { 'content-type': 'text/plain; charset=UTF-8' };
    const answer = await server.http.send('POST', `/v1/notifications/amazon/${world.appId}`, body, headers);
    await world.process();
    return answer;
  };
  return {
    ...world,
    amazon,
    sns,
    send,
    notify: (message) => {
      // Answers within one millisecond are one observation.
      clock.advanceMs(1000);
      return send(sns.notification(message));
    },
    async close() {
      await world.close();
      await Promise.all([amazon.close(), sns.close()]);
    },
  };
}
