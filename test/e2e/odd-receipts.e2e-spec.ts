import fc from 'fast-check';
import type { Answer } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { oddOptionalFields } from '../support/odd-receipt-fields.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const RUNS = { numRuns: 25 };

/** The answer by which a phone finishes a consumable. */
const boughtOf = ({ body }: Answer, productId: string): number =>
  body.subscriber.non_subscriptions[productId]?.length ?? 0;

describe('a good purchase with odd optional fields', () => {
  let appStore: AppStoreWorld;
  let play: PlayWorld;
  let server: TestServer;
  let store: TestStore;
  let count = 0;

  beforeAll(async () => {
    appStore = await startAppStoreWorld();
    play = await startPlayWorld();
    server = await startTestServer();
    store = await createTestStore(server);
  });
  afterAll(async () => {
    await server?.close();
    await play?.close();
    await appStore?.close();
  });

  it('records it for the Test Store', async () => {
    await fc.assert(
      fc.asyncProperty(oddOptionalFields(['product_id', 'app_transaction']), async (odd) => {
        const token = `test_${server.clock.nowMs()}_odd-${++count}`;
        const answer = await store.sdk.post('/v1/receipts', {
          ...odd,
          app_user_id: `tester-${count}`,
          fetch_token: token,
          product_id: 'coins_100',
        });
        expect([answer.status, boughtOf(answer, 'coins_100')]).toEqual([200, 1]);
        expect(answer.body.purchased_products.coins_100).toEqual({ should_consume: true });
      }),
      RUNS,
    );
  });

  it('records it for Google Play, and consumes it whatever the phone calls it', async () => {
    await fc.assert(
      fc.asyncProperty(oddOptionalFields(['app_transaction']), async (odd) => {
        const { token } = play.play.buy(playProducts.coins);
        const body = { ...odd, app_user_id: `android-${++count}`, fetch_token: token };
        const answer = await play.sdk.post('/v1/receipts', body);
        expect([answer.status, boughtOf(answer, playProducts.coins.id)]).toEqual([200, 1]);
        const recorded: { should_consume: boolean }[] = Object.values(answer.body.purchased_products);
        expect(recorded.map(({ should_consume: isConsumed }) => isConsumed)).toContain(true);
      }),
      RUNS,
    );
  });

  it('records it for the App Store', async () => {
    await fc.assert(
      fc.asyncProperty(oddOptionalFields(), async (odd) => {
        const { transaction } = appStore.store.buy(appStore.store.account(), fakeProducts.coins);
        const signed = appStore.store.signed(transaction);
        const body = { ...odd, app_user_id: `iphone-${++count}`, fetch_token: signed };
        const answer = await appStore.sdk.post('/v1/receipts', body);
        expect([answer.status, boughtOf(answer, fakeProducts.coins.id)]).toEqual([200, 1]);
      }),
      RUNS,
    );
  });
});
