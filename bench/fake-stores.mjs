import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFakes } from './fakes.mjs';

export const BUNDLE_ID = 'com.example.bench';
export const APPLE_ID = 6443000000;
let shiftMs = 0;
export const clock = { nowMs: () => Date.now() - shiftMs };

/** Does something at the stores as if it were earlier. */
export function earlier(ms, work) {
  shiftMs = ms;
  try {
    return work();
  } finally {
    shiftMs = 0;
  }
}

const LATENCY_MS = 20;

/** The App Store of the tests; its answers take 20 ms. */
export async function fakeAppStore(folder) {
  const load = compileFakes(folder, ['apple-report-rules.ts', 'patient-server.ts', 'fake-app-store']);
  const { FakeAppStore, fakeProducts } = await load('fake-app-store/fake-app-store.js');
  const { FakeServerApi } = await load('fake-app-store/fake-server-api.js');
  const store = new FakeAppStore(clock, BUNDLE_ID, APPLE_ID);
  const api = new FakeServerApi(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  const roots = join(folder, 'roots');
  mkdirSync(roots);
  writeFileSync(join(roots, 'root.der'), store.chain.root.der);
  return { store, api, roots, product: fakeProducts.monthly };
}

/** The Google Play of the tests, likewise. */
export async function fakeGooglePlay(folder) {
  const load = compileFakes(folder, ['patient-server.ts', 'fake-play']);
  const { FakePlay, playProducts } = await load('fake-play/fake-play.js');
  const { FakePlayServer } = await load('fake-play/fake-play-server.js');
  const store = new FakePlay(clock, BUNDLE_ID);
  const api = new FakePlayServer(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  return { store, api, product: playProducts.monthly };
}

/** The Paddle of the tests, likewise. */
export async function fakePaddle(folder) {
  const load = compileFakes(folder, ['patient-server.ts', 'fake-http.ts', 'fake-paddle']);
  const { FakePaddle, paddlePrices } = await load('fake-paddle/fake-paddle.js');
  const { FakePaddleApi } = await load('fake-paddle/fake-paddle-api.js');
  const store = new FakePaddle(clock);
  const api = new FakePaddleApi(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  return { store, api, product: paddlePrices.monthly };
}

/** The Stripe of the tests, likewise. */
export async function fakeStripe(folder) {
  const load = compileFakes(folder, ['patient-server.ts', 'fake-http.ts', 'fake-stripe']);
  const { FakeStripe, fakePrices } = await load('fake-stripe/fake-stripe.js');
  const { FakeStripeApi } = await load('fake-stripe/fake-stripe-api.js');
  const store = new FakeStripe(clock);
  const api = new FakeStripeApi(store);
  api.latencyMs = LATENCY_MS;
  await api.start();
  return { store, api, product: fakePrices.monthly };
}

/** The Roku Pay of the tests, likewise. */
export async function fakeRoku(folder) {
  const load = compileFakes(folder, ['patient-server.ts', 'fake-http.ts', 'fake-roku']);
  const { FakeRoku, rokuProducts } = await load('fake-roku/fake-roku.js');
  const store = new FakeRoku(clock);
  store.latencyMs = LATENCY_MS;
  await store.start();
  return { store, product: rokuProducts.monthly };
}
