import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import { APPLE_ID, BUNDLE_ID } from './arrange-app-store.js';
import { PACKAGE_NAME } from './arrange-play.js';
import { FakeAppStore } from './fake-app-store/fake-app-store.js';
import { FakeServerApi } from './fake-app-store/fake-server-api.js';
import { FakePlay } from './fake-play/fake-play.js';
import { FakePlayServer } from './fake-play/fake-play-server.js';
import { FakeStripe } from './fake-stripe/fake-stripe.js';
import { FakeStripeApi } from './fake-stripe/fake-stripe-api.js';
import { startTestServer, TEST_START_MS, type TestServer } from './test-server.js';

/** A server and the stores that its figures come from, all on one clock. */
export interface ChartsStores {
  server: TestServer;
  apple: FakeAppStore;
  play: FakePlay;
  google: FakePlayServer;
  stripe: FakeStripe;
  close(): Promise<void>;
}

export async function startChartsStores(env: NodeJS.ProcessEnv): Promise<ChartsStores> {
  const clock = new ManualClock(TEST_START_MS);
  const apple = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
  const appleApi = new FakeServerApi(apple);
  const play = new FakePlay(clock, PACKAGE_NAME);
  const google = new FakePlayServer(play);
  const stripe = new FakeStripe(clock);
  const stripeApi = new FakeStripeApi(stripe);
  const fakes = [appleApi, google, stripeApi];
  await Promise.all(fakes.map((fake) => fake.start()));
  const roots = mkdtempSync(join(tmpdir(), 'roots-'));
  writeFileSync(join(roots, 'fake-root.der'), apple.chain.root.der);
  const server = await startTestServer({
    clock,
    env: {
      SERVICE_TEST_STORES: 'true',
      SERVICE_TEST_APPLE_ROOTS: roots,
      SERVICE_APPLE_API_URL: appleApi.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: appleApi.urls.Sandbox,
      SERVICE_PLAY_API_URL: google.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.url}/token`,
      SERVICE_GOOGLE_CERTS_URL: `${google.url}/certs`,
      SERVICE_STRIPE_API_URL: stripeApi.url,
      ...env,
    },
  });
  return {
    server,
    apple,
    play,
    google,
    stripe,
    async close() {
      await server.close();
      await Promise.all(fakes.map((fake) => fake.close()));
    },
  };
}
