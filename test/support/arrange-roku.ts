import { ManualClock } from '../../libs/kernel/index.js';
import type { Answer } from './api-client.js';
import { arrangeStoreApp, type StoreWorld } from './arrange-store-app.js';
import { FakeRoku, rokuProducts } from './fake-roku/fake-roku.js';
import { FakeRokuPushes } from './fake-roku/fake-roku-pushes.js';
import type { RokuMessage } from './fake-roku/fake-roku-subscription.js';
import { startTestServer, TEST_START_MS } from './test-server.js';

/** A server, Roku Pay with its push notifications, and a project with an app in it. */
export interface RokuWorld extends StoreWorld {
  roku: FakeRoku;
  pushes: FakeRokuPushes;
  /** Sends the message of a push notification, signed by Roku, and processes the inbox. */
  notify(message: RokuMessage): Promise<Answer>;
  /** Sends any body. */
  send(body: string): Promise<Answer>;
}

export async function startRokuWorld(options: { logTo?: (line: string) => void } = {}): Promise<RokuWorld> {
  const clock = new ManualClock(TEST_START_MS);
  const roku = new FakeRoku(clock);
  const pushes = new FakeRokuPushes(clock);
  await Promise.all([roku.start(), pushes.start()]);
  const server = await startTestServer({
    ...options,
    clock,
    env: {
      SERVICE_TEST_STORES: 'true',
      SERVICE_ROKU_API_URL: roku.url,
      SERVICE_ROKU_KEYS_URL: pushes.url,
    },
  });
  const { monthly, intro, basic, yearly, coins, lifetime } = rokuProducts;
  const world = await arrangeStoreApp(server, {
    type: 'roku',
    platform: 'roku',
    fields: { roku_api_key: roku.apiKey, roku_channel_id: roku.channelId },
    products: {
      [monthly.id]: 'subscription',
      [intro.id]: 'subscription',
      [basic.id]: 'subscription',
      [yearly.id]: 'subscription',
      [coins.id]: 'consumable',
      [lifetime.id]: 'non_consumable',
    },
    unlocking: [monthly.id, intro.id, basic.id, yearly.id, lifetime.id],
  });
  const send = async (body: string): Promise<Answer> => {
    // The inbox is read in the order of arrival.
    clock.advanceMs(1);
    const headers = { 'content-type': 'text/plain' };
    const answer = await server.http.send('POST', `/v1/notifications/roku/${world.appId}`, body, headers);
    await world.process();
    return answer;
  };
  return {
    ...world,
    roku,
    pushes,
    send,
    notify: (message) => {
      // Answers within one millisecond are one observation.
      clock.advanceMs(1000);
      return send(pushes.push(message));
    },
    async close() {
      await world.close();
      await Promise.all([roku.close(), pushes.close()]);
    },
  };
}
