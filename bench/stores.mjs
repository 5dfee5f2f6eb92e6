import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFakes } from './fakes.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_791;
const LATENCY_MS = 20;
const DEVICES = 32;
const BUNDLE_ID = 'com.example.bench';
const APPLE_ID = 6443000000;

const clock = { nowMs: () => Date.now() };
const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

/** The App Store of the tests, compiled into a folder. */
async function fakeAppStore(folder) {
  const load = compileFakes(folder, ['fake-app-store']);
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

/** What one server process does with receipts of the App Store; prints a table. `tools`: how run.mjs starts and waits. */
export async function benchStores({ nodeOn, until, cpuMs, log, quick }) {
  const receipts = quick ? 500 : 3_000;
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-'));
  const apple = await fakeAppStore(folder);
  const verifyMs = await verification(apple, quick ? 500 : 3_000);
  const { startEmbeddedPostgres } = await import('../dist/src/database/embedded/index.js');
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'full' });
  const url = `http://127.0.0.1:${PORT}`;
  const server = nodeOn(0, [fileURLToPath(new URL('../dist/src/main.js', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TEST_STORES: 'true',
      SERVICE_TEST_APPLE_ROOTS: apple.roots,
      SERVICE_APPLE_API_URL: apple.api.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.api.urls.Sandbox,
      PORT: String(PORT),
    },
  });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const { path, backendHeaders } = await buildWorld(url, 10, null);
    const { privateKeyPem, keyId, issuerId } = apple.api.key;
    const { json: app } = await call(url, 'POST', `${path}/apps`, backendHeaders, {
      name: 'Bench',
      type: 'app_store',
      app_store: {
        bundle_id: BUNDLE_ID,
        app_apple_id: APPLE_ID,
        subscription_private_key: privateKeyPem,
        subscription_key_id: keyId,
        subscription_key_issuer: issuerId,
      },
    });
    const keys = await call(url, 'GET', `${path}/apps/${app.id}/public_api_keys`, backendHeaders);
    const headers = { authorization: `Bearer ${keys.json.items[0].key}`, 'x-platform': 'iOS' };
    const tokens = Array.from({ length: receipts }, () =>
      apple.store.subscribe(apple.store.account(), apple.product).signed(),
    );
    log(`${receipts} receipts from ${DEVICES} devices at once`);
    const times = [];
    let next = 0;
    const device = async () => {
      while (next < tokens.length) {
        const number = next++;
        const startedAt = performance.now();
        await call(url, 'POST', '/v1/receipts', headers, {
          app_user_id: `device-${number}`,
          fetch_token: tokens[number],
          product_id: apple.product.id,
        });
        times.push(performance.now() - startedAt);
      }
    };
    const cpuBefore = cpuMs(server.pid);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: DEVICES }, device));
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuAfter = cpuMs(server.pid);
    console.table({
      'receipts/s': Math.round(receipts / seconds),
      'receipt, p50 ms': Math.round(percentile(times, 0.5)),
      'receipt, p99 ms': Math.round(percentile(times, 0.99)),
      'receipt, cpu ms': cpuBefore === null ? null : Number(((cpuAfter - cpuBefore) / receipts).toFixed(2)),
      'verification of a transaction, cpu ms': Number(verifyMs.toFixed(3)),
    });
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('close', resolve));
    await database.stop();
    await apple.api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
