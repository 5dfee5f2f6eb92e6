import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Answer } from './api-client.js';
import { APPLE_ID, BUNDLE_ID } from './arrange-app-store.js';
import { PACKAGE_NAME } from './arrange-play.js';
import { createTestStore, type TestStore } from './arrange-store.js';
import { arrangeStoreApp, type StoreWorld } from './arrange-store-app.js';
import { FakeAmazon, fakeSkus } from './fake-amazon/fake-amazon.js';
import { FakeAppStore, fakeProducts } from './fake-app-store/fake-app-store.js';
import { FakeServerApi } from './fake-app-store/fake-server-api.js';
import type { FakeSubscription } from './fake-app-store/fake-subscription.js';
import type { FakeAnswer } from './fake-http.js';
import { FakePaddle, paddlePrices } from './fake-paddle/fake-paddle.js';
import { FakePaddleApi } from './fake-paddle/fake-paddle-api.js';
import { FakePlay, playProducts } from './fake-play/fake-play.js';
import { FakePlayServer } from './fake-play/fake-play-server.js';
import { FakeRoku, rokuProducts } from './fake-roku/fake-roku.js';
import { FakeStripe, fakePrices } from './fake-stripe/fake-stripe.js';
import { FakeStripeApi } from './fake-stripe/fake-stripe-api.js';
import { startTestServer, TEST_START_MS, type TestServer, type TestServerOptions } from './test-server.js';

/** A purchase that only the store can vouch for, as an app posts it. */
export interface Bought {
  token: string;
  /** The store's name in the paths of the API. */
  name: string;
  more?: object;
  /** Pays for another month, of which no notification tells. */
  renew: () => unknown;
  /** Turns renewal off, likewise. */
  cancel: () => unknown;
}

/** One of several stores of a server. */
export interface SomeStore {
  world: StoreWorld;
  buy(): Bought;
  /** The store's answer to everything from now on; null for correct answers. */
  answerWith: (answer: FakeAnswer | null) => void;
  /** Number of calls at the start of a receipt. */
  callsAtOnce: number;
  /** Number of lookups of some purchases; there may also be news of older ones. */
  callsAbout: (bought: Bought[]) => number;
}

export type StoreName = 'amazon' | 'app_store' | 'paddle' | 'play_store' | 'roku' | 'stripe';

/** One server with an app of each store, each in a project of its own, and a Test Store beside them. */
export interface AllStores {
  server: TestServer;
  clock: ManualClock;
  testStore: TestStore;
  stores: Record<StoreName, SomeStore>;
  /** What the stores know, and the servers that answer for them. */
  fakes: {
    apple: FakeAppStore;
    appleApi: FakeServerApi;
    play: FakePlay;
    google: FakePlayServer;
    paddle: FakePaddle;
    stripe: FakeStripe;
    amazon: FakeAmazon;
    roku: FakeRoku;
  };
  /** The settings of the server, for another one on its database. */
  env: NodeJS.ProcessEnv;
  post(store: SomeStore, appUserId: string, bought: Bought): Promise<Answer>;
  close(): Promise<void>;
}

function handles(life: { renew: () => unknown; cancel: () => unknown }): Pick<Bought, 'renew' | 'cancel'> {
  return { renew: () => life.renew(), cancel: () => life.cancel() };
}

interface Fake {
  calls: { path: string }[];
  interfere: (call: never) => FakeAnswer | undefined;
}

function ruled(fake: Fake, callsAtOnce = 1): Pick<SomeStore, 'answerWith' | 'callsAbout' | 'callsAtOnce'> {
  return {
    callsAtOnce,
    answerWith(answer) {
      fake.interfere = () => answer ?? undefined;
    },
    callsAbout(bought) {
      const names = new Set(bought.map(({ name }) => name));
      const isNamed = (part: string): boolean => names.has(decodeURIComponent(part));
      return fake.calls.filter(({ path }) => path.split('/').some(isNamed)).length;
    },
  };
}

/** A receipt of StoreKit 1: Apple is asked about the purchase that it names. */
function namedBy(store: FakeAppStore, { latest, originalTransactionId }: FakeSubscription): string {
  const purchase = {
    transactionId: String(latest.transactionId),
    originalTransactionId,
    productId: fakeProducts.monthly.id,
    purchasedAtMs: Number(latest.purchaseDate),
  };
  return store.appReceipt({ purchases: [purchase] });
}

export async function startAllStores(
  options: Pick<TestServerOptions, 'env' | 'logTo'> = {},
): Promise<AllStores> {
  const clock = new ManualClock(TEST_START_MS);
  const apple = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
  const appleApi = new FakeServerApi(apple);
  const play = new FakePlay(clock, PACKAGE_NAME);
  const google = new FakePlayServer(play);
  const paddle = new FakePaddle(clock);
  const paddleApi = new FakePaddleApi(paddle);
  const stripe = new FakeStripe(clock);
  const stripeApi = new FakeStripeApi(stripe);
  const amazon = new FakeAmazon(clock);
  const roku = new FakeRoku(clock);
  const fakes = [appleApi, google, paddleApi, stripeApi, amazon, roku];
  await Promise.all(fakes.map((fake) => fake.start()));
  const roots = mkdtempSync(join(tmpdir(), 'roots-'));
  writeFileSync(join(roots, 'fake-root.der'), apple.chain.root.der);
  const env = {
    SERVICE_ALLOW_SIGNUP: 'true',
    SERVICE_TEST_STORES: 'true',
    SERVICE_TEST_APPLE_ROOTS: roots,
    SERVICE_APPLE_API_URL: appleApi.urls.Production,
    SERVICE_APPLE_SANDBOX_API_URL: appleApi.urls.Sandbox,
    SERVICE_PLAY_API_URL: google.url,
    SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
    SERVICE_PADDLE_API_URL: paddleApi.url,
    SERVICE_STRIPE_API_URL: stripeApi.url,
    SERVICE_AMAZON_RVS_URL: amazon.url,
    SERVICE_ROKU_API_URL: roku.url,
    ...options.env,
  };
  const server = await startTestServer({ ...options, clock, env });
  const appOf = (type: StoreName, platform: string, fields: object, product: string): Promise<StoreWorld> =>
    arrangeStoreApp(server, {
      type,
      platform,
      fields,
      products: { [product]: 'subscription' },
      unlocking: [product],
    });
  const { privateKeyPem, keyId, issuerId } = appleApi.key;
  const { monthly: playProduct } = playProducts;
  const stores: AllStores['stores'] = {
    app_store: {
      ...ruled(appleApi, 2),
      world: await appOf(
        'app_store',
        'iOS',
        {
          bundle_id: BUNDLE_ID,
          app_apple_id: APPLE_ID,
          subscription_private_key: privateKeyPem,
          subscription_key_id: keyId,
          subscription_key_issuer: issuerId,
        },
        fakeProducts.monthly.id,
      ),
      buy: () => {
        const life = apple.subscribe(apple.account(), fakeProducts.monthly);
        return { ...handles(life), token: namedBy(apple, life), name: life.originalTransactionId };
      },
    },
    play_store: {
      ...ruled(google),
      world: await appOf(
        'play_store',
        'android',
        { package_name: PACKAGE_NAME, play_service_account_credentials_json: google.serviceAccount },
        `${playProduct.id}:${playProduct.basePlanId}`,
      ),
      buy: () => {
        const life = play.subscribe(playProduct);
        return { ...handles(life), token: life.token, name: life.token };
      },
    },
    paddle: {
      ...ruled(paddleApi),
      world: await appOf('paddle', 'paddle', { paddle_api_key: paddle.apiKey }, paddlePrices.monthly.product),
      buy: () => {
        const life = paddle.subscribe();
        return { ...handles(life), token: life.id, name: life.id };
      },
    },
    stripe: {
      ...ruled(stripeApi),
      world: await appOf(
        'stripe',
        'stripe',
        { stripe_secret_key: stripe.secretKey },
        fakePrices.monthly.product,
      ),
      buy: () => {
        const life = stripe.subscribe();
        return { ...handles(life), token: life.id, name: life.id };
      },
    },
    amazon: {
      ...ruled(amazon),
      world: await appOf(
        'amazon',
        'amazon',
        { package_name: amazon.packageName, shared_secret: amazon.secret },
        fakeSkus.monthly.termSku,
      ),
      buy: () => {
        const life = amazon.subscribe();
        const cancel = (): unknown => life.setAutoRenew(false);
        const more = { store_user_id: life.userId };
        return { token: life.id, name: life.id, more, renew: () => life.renew(), cancel };
      },
    },
    roku: {
      ...ruled(roku),
      world: await appOf(
        'roku',
        'roku',
        { roku_api_key: roku.apiKey, roku_channel_id: roku.channelId },
        rokuProducts.monthly.id,
      ),
      buy: () => {
        const life = roku.subscribe();
        return { ...handles(life), token: life.id, name: life.id };
      },
    },
  };
  return {
    server,
    clock,
    testStore: await createTestStore(server),
    stores,
    fakes: { apple, appleApi, play, google, paddle, stripe, amazon, roku },
    env,
    post: ({ world }, appUserId, { token, more }) => world.post(appUserId, token, more),
    async close() {
      await server.close();
      await Promise.all(fakes.map((fake) => fake.close()));
    },
  };
}
