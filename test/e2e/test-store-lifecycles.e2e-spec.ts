import { randomUUID } from 'node:crypto';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { OneTimeDriver } from '../support/store-lives/one-time-life.js';
import type { LifeWorld } from '../support/store-lives/test-lives.js';
import { testOneTimeLives } from '../support/store-lives/test-one-time-lives.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { recordedEvents } from '../support/recorded-events.js';

const prices = { coins_100: 0.99, pro_lifetime: 199 };

interface Bought {
  product: keyof typeof prices;
  token: string;
}

describe('lives of purchases in the Test Store', () => {
  let server: TestServer;
  let store: TestStore;
  let world: LifeWorld;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
    const { backend, path, sdk } = store;
    world = {
      clock: server.clock,
      path,
      backend,
      sdk,
      events: (appUserId) => recordedEvents(backend, path, appUserId),
    };
  });
  afterAll(() => server.close());

  const buy = (product: Bought['product']): Bought => ({
    product,
    token: `test_${server.clock.nowMs()}_${randomUUID()}`,
  });
  const adds =
    (product: Bought['product']) =>
    (life: Bought[]): null => {
      life.push(buy(product));
      return null;
    };

  testOneTimeLives<Bought[], null>(
    () => world,
    {
      store: 'test_store',
      coins: 'coins_100',
      lifetime: 'pro_lifetime',
      starts: { coins: () => [buy('coins_100')], lifetime: () => [buy('pro_lifetime')] },
      happenings: {
        buyCoins: adds('coins_100'),
        buyLifetime: adds('pro_lifetime'),
        async refund(life) {
          const { token } = life.at(-1) as Bought;
          const known = await store.backend.get(
            `${store.path}/purchases?store_purchase_identifier=${encodeURIComponent(token)}`,
          );
          const { id } = known.body.items[0];
          const answer = await store.backend.post(`${store.path}/purchases/${id}/actions/refund`);
          expect(answer.status).toBe(200);
          return null;
        },
      },
      async post(life, user) {
        const answers = [];
        for (const { product, token } of life) {
          const device = { product_ids: [product], price: prices[product], currency: 'USD' };
          answers.push(
            await store.sdk.post('/v1/receipts', { app_user_id: user, fetch_token: token, ...device }),
          );
        }
        return answers.map(({ status }) => status);
      },
      // What becomes of a purchase, the Test Store only knows from this server.
      deliver: () => Promise.resolve(),
    } satisfies OneTimeDriver<Bought[], null>,
    { delivered: ['as it happens'] },
  );
});
