import { ManualClock } from '../../libs/kernel/index.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import type { Answer } from './api-client.js';
import { arrangeStoreApp, type StoreWorld } from './arrange-store-app.js';
import { FakePaddle, type PaddleEventSent, paddlePrices } from './fake-paddle/fake-paddle.js';
import { FakePaddleApi } from './fake-paddle/fake-paddle-api.js';
import { startTestServer, TEST_START_MS } from './test-server.js';

/** A server, a Paddle account, and a project with an app that sells with it. */
export interface PaddleWorld extends StoreWorld {
  paddle: FakePaddle;
  api: FakePaddleApi;
  /** Sends an event and processes the inbox. */
  notify(event: PaddleEventSent): Promise<Answer>;
  /** Sends a body under any signature. */
  send(body: string, signature: string | null): Promise<Answer>;
  /** Runs background tasks and refreshes that are due. */
  upkeep(): Promise<void>;
}

export const { monthly, yearly, plus, extra, coins, lifetime, book } = paddlePrices;

export function paddleApp(paddle: FakePaddle): Parameters<typeof arrangeStoreApp>[1] {
  return {
    type: 'paddle',
    platform: 'paddle',
    fields: { paddle_api_key: paddle.apiKey, paddle_webhook_secret: paddle.webhookSecret },
    products: {
      [monthly.product]: 'subscription',
      [yearly.product]: 'subscription',
      [plus.product]: 'subscription',
      [coins.product]: 'consumable',
      [lifetime.product]: 'non_consumable',
      [book.product]: 'non_consumable',
    },
    unlocking: [monthly.product, yearly.product, plus.product, lifetime.product],
  };
}

export async function startPaddleWorld(): Promise<PaddleWorld> {
  const clock = new ManualClock(TEST_START_MS);
  const paddle = new FakePaddle(clock);
  const api = new FakePaddleApi(paddle);
  await api.start();
  const server = await startTestServer({
    clock,
    env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TEST_STORES: 'true', SERVICE_PADDLE_API_URL: api.url },
  });
  const world = await arrangeStoreApp(server, paddleApp(paddle));
  const send = async (body: string, signature: string | null): Promise<Answer> => {
    const headers = {
      'content-type': 'application/json',
      ...(signature !== null && { 'paddle-signature': signature }),
    };
    const answer = await server.http.send('POST', `/v1/notifications/paddle/${world.appId}`, body, headers);
    await world.process();
    return answer;
  };
  return {
    ...world,
    paddle,
    api,
    send,
    notify: ({ body }) => {
      // What is asked in one millisecond is one observation; in two seconds the budget of calls is full again.
      clock.advanceMs(2000);
      return send(body, paddle.signature(body));
    },
    async upkeep() {
      await server.app.get(StoreTasksService).drain();
      await world.process();
      await server.app.get(StoreRefreshJob).drain();
    },
    async close() {
      await world.close();
      await api.close();
    },
  };
}
