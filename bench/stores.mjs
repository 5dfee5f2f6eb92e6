import { randomUUID } from 'node:crypto';
import { startDatabase } from './database.mjs';
import {
  APPLE_ID,
  BUNDLE_ID,
  clock,
  fakeAppStore,
  fakeGooglePlay,
  fakePaddle,
  fakeRoku,
} from './fake-stores.mjs';
import { percentile } from './percentile.mjs';
import { startStoreServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_791;
const DEVICES = 32;
/** Devices of another store while one hangs. */
const DEVICES_BESIDE = 8;
const HANGING = 200;

/** Processor time of verifying one signed transaction, in ms, its certificates being known. */
async function verification({ store, product }, runs) {
  const { AppleVerifier } = await import('../dist/libs/stores/index.js');
  const trust = { extraRoots: [store.chain.root.der], onlineChecks: false, nowMs: clock.nowMs };
  const verifier = new AppleVerifier(trust);
  const app = { bundleId: BUNDLE_ID, appAppleId: APPLE_ID };
  const signed = Array.from({ length: runs }, () =>
    store.signed(store.buy(store.account(), product).transaction),
  );
  for (const jws of signed.slice(0, 100)) await verifier.transaction(app, jws);
  const before = process.cpuUsage();
  for (const jws of signed) await verifier.transaction(app, jws);
  const { user, system } = process.cpuUsage(before);
  store.oneTime.length = 0;
  return (user + system) / 1_000 / runs;
}

/** Posts receipts, or other bodies, from some devices at once; gives how long each took, in ms. */
export async function posted(url, headers, bodies, devices, pathOf = () => '/v1/receipts') {
  const times = [];
  let next = 0;
  const device = async () => {
    while (next < bodies.length) {
      const body = bodies[next++];
      const startedAt = performance.now();
      await call(url, 'POST', pathOf(body), typeof headers === 'function' ? headers() : headers, body);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: devices }, device));
  return times;
}

/** An app of a store, and what its SDK sends. */
export async function appOf(url, { path, backendHeaders }, type, platform, fields) {
  const body = { name: 'Bench', type, [type]: fields };
  const { json: app } = await call(url, 'POST', `${path}/apps`, backendHeaders, body);
  const keys = await call(url, 'GET', `${path}/apps/${app.id}/public_api_keys`, backendHeaders);
  return { authorization: `Bearer ${keys.json.items[0].key}`, 'x-platform': platform };
}

/** What one server process does with receipts of stores; prints tables. `tools`: how run.mjs starts and waits. */
export async function benchStores({ nodeOn, until, cpuMs, log, quick }) {
  const receipts = quick ? 500 : 3_000;
  const database = await startDatabase();
  const apple = await fakeAppStore(database.folder);
  const google = await fakeGooglePlay(database.folder);
  const paddle = await fakePaddle(database.folder);
  const roku = await fakeRoku(database.folder);
  const verifyMs = await verification(apple, quick ? 500 : 3_000);
  const url = `http://127.0.0.1:${PORT}`;
  const server = startStoreServer(nodeOn, {
    database,
    apple,
    port: PORT,
    env: {
      SERVICE_PLAY_API_URL: google.api.url,
      SERVICE_GOOGLE_TOKEN_URL: `${google.api.url}/token`,
      SERVICE_PADDLE_API_URL: paddle.api.url,
      SERVICE_ROKU_API_URL: roku.store.url,
    },
  });
  let people = 0;
  const newAppUserId = () => `device-${people++}`;
  const measured = async (name, headers, bodies, devices = DEVICES) => {
    log(`${name}: ${bodies.length} receipts from ${devices} devices at once`);
    const cpuBefore = cpuMs(server.pid);
    const startedAt = performance.now();
    const times = await posted(url, headers, bodies, devices);
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuAfter = cpuMs(server.pid);
    return {
      receipts: name,
      'per s': Math.round(bodies.length / seconds),
      'p50 ms': Math.round(percentile(times, 0.5)),
      'p99 ms': Math.round(percentile(times, 0.99)),
      'cpu ms each': cpuBefore === null ? null : Number(((cpuAfter - cpuBefore) / bodies.length).toFixed(2)),
    };
  };
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const world = await buildWorld(url, 10, null);
    const { privateKeyPem, keyId, issuerId } = apple.api.key;
    const appleHeaders = await appOf(url, world, 'app_store', 'iOS', {
      bundle_id: BUNDLE_ID,
      app_apple_id: APPLE_ID,
      subscription_private_key: privateKeyPem,
      subscription_key_id: keyId,
      subscription_key_issuer: issuerId,
    });
    const googleHeaders = await appOf(url, world, 'play_store', 'android', {
      package_name: BUNDLE_ID,
      play_service_account_credentials_json: google.api.serviceAccount,
    });
    const paddleHeaders = await appOf(url, world, 'paddle', 'paddle', {
      paddle_api_key: paddle.store.apiKey,
    });
    const rokuHeaders = await appOf(url, world, 'roku', 'roku', {
      roku_api_key: roku.store.apiKey,
      roku_channel_id: roku.store.channelId,
    });
    const ofApple = (many) =>
      Array.from({ length: many }, () => ({
        app_user_id: newAppUserId(),
        fetch_token: apple.store.subscribe(apple.store.account(), apple.product).signed(),
        product_id: apple.product.id,
      }));
    const ofGoogle = Array.from({ length: receipts }, () => ({
      app_user_id: newAppUserId(),
      fetch_token: google.store.subscribe(google.product).token,
      product_id: google.product.id,
    }));
    const ofPaddle = Array.from({ length: receipts }, () => ({
      app_user_id: newAppUserId(),
      fetch_token: paddle.store.subscribe(paddle.product).id,
    }));
    const ofRoku = Array.from({ length: receipts }, () => ({
      app_user_id: newAppUserId(),
      fetch_token: roku.store.subscribe(roku.product).id,
      product_id: roku.product.id,
      price: `$${roku.product.total}`,
    }));
    const ofTestStore = () =>
      Array.from({ length: receipts }, () => ({
        app_user_id: newAppUserId(),
        fetch_token: `test_${Date.now()}_${randomUUID()}`,
        product_id: 'pro_monthly',
        currency: 'USD',
      }));
    const rows = [
      await measured('App Store', appleHeaders, ofApple(receipts)),
      await measured('Google Play', googleHeaders, ofGoogle),
      await measured('Paddle', paddleHeaders, ofPaddle),
      await measured('Roku', rokuHeaders, ofRoku),
      await measured('Test Store', world.sdkHeaders, ofTestStore(), DEVICES_BESIDE),
    ];
    apple.api.interfere = () => ({ status: 0, instead: 'hang' });
    const hanging = posted(url, appleHeaders, ofApple(HANGING), HANGING);
    await until('the hanging receipts', async () => apple.api.calls.length >= 2 * (receipts + HANGING));
    rows.push(
      await measured('Test Store, the App Store hangs', world.sdkHeaders, ofTestStore(), DEVICES_BESIDE),
    );
    const waits = await hanging;
    console.table(rows);
    console.log(
      `verification of a transaction: ${verifyMs.toFixed(3)} ms of processor time; ` +
        `${HANGING} receipts of an App Store that hangs: answered within ${Math.round(Math.max(...waits))} ms`,
    );
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('close', resolve));
    await Promise.all([apple.api, google.api, paddle.api, roku.store].map((fake) => fake.close()));
    await database.stop();
  }
}
