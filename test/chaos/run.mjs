import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { buildWorld } from '../../bench/world.mjs';
import { buildOrExit } from '../../scripts/build.mjs';
import { checkChaos, checkQuiet } from './checks.mjs';
import { Fleet } from './fleet.mjs';
import { startReceiver } from './receiver.mjs';

/**
 * Proof that webhooks survive `kill -9`: three server processes on one database, a consumer that writes everything
 * down, and processes that die under load. `--short` takes about a minute, the full run less than ten.
 */
const short = process.argv.includes('--short');
const plan = short
  ? { quietCustomers: 200, chaosMs: 20_000, leaseMs: 4_000, limitMs: 180_000, failFirst: 0 }
  : { quietCustomers: 2_000, chaosMs: 180_000, leaseMs: 15_000, limitMs: 600_000, failFirst: 0.05 };
/** Each quiet customer is told to so many endpoints: 10,000 deliveries in the full run. */
const QUIET_ENDPOINTS = 5;
const BUYERS = 16;
const CHAOS_BUYERS = 8;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const log = (text) => process.stdout.write(`${text}\n`);

const overdue = setTimeout(() => {
  log(`not finished after ${plan.limitMs / 1000} s`);
  process.exit(1);
}, plan.limitMs);

buildOrExit();
const { startEmbeddedPostgres } = await import('../../dist/src/database/embedded/index.js');
const folder = mkdtempSync(join(tmpdir(), 'tenure-chaos-'));
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'full' });
const fleet = new Fleet(3, {
  DATABASE_URL: database.url,
  SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
  SERVICE_DEMO: 'false',
  SERVICE_DATABASE_POOL_SIZE: '10',
  SERVICE_LOG_LEVEL: 'fatal',
  SERVICE_WEBHOOK_LEASE_MS: String(plan.leaseMs),
});
const sql = new pg.Client({ connectionString: database.url });
/** Reads back that did not show what the event told of. */
const stale = [];
let world;

/** The consumer of the chaos: reads the customer back before it says that it has understood. */
async function readBack({ event }) {
  const path = `${world.path}/customers/${encodeURIComponent(event.app_user_id)}/purchases?limit=100`;
  const subscriptions = path.replace('/purchases?', '/subscriptions?');
  const [one, other] = await Promise.all(
    [path, subscriptions].map((where) => fleet.call('GET', where, { authorization: `Bearer ${world.key}` })),
  );
  const stored = JSON.stringify([one.body, other.body]);
  if (one.status !== 200 || other.status !== 200 || !stored.includes(event.transaction_id)) stale.push(event);
  await pause(Math.random() * 150);
  return 200;
}

const attempted = new Set();
const failedOnce = new Set();
/** The consumer of the quiet phase: some first attempts fail, which makes a second slot five minutes later. */
function quiet({ path, event }) {
  const key = `${path} ${event.id}`;
  const isFirst = !attempted.has(key);
  attempted.add(key);
  if (!isFirst || Math.random() >= plan.failFirst) return Promise.resolve(200);
  failedOnce.add(key);
  return Promise.resolve(500);
}

const receiver = await startReceiver((entry) =>
  entry.path.startsWith('/chaos') ? readBack(entry) : quiet(entry),
);

/** Buys until the server says that it has it; gives who bought. */
async function buy(sdkHeaders, appUserId, productId) {
  const body = {
    app_user_id: appUserId,
    product_id: productId,
    fetch_token: `test_${Date.now()}_${randomUUID()}`,
    currency: 'USD',
  };
  const { status, body: answer } = await fleet.call('POST', '/v1/receipts', sdkHeaders, body);
  if (status !== 200) throw new Error(`the purchase was refused: ${status} ${JSON.stringify(answer)}`);
}

async function pendingDeliveries(condition) {
  const { rows } = await sql.query(
    `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending' AND ${condition}`,
  );
  return rows[0].count;
}

async function untilSent(what, condition, withinMs) {
  const until = Date.now() + withinMs;
  let left;
  while ((left = await pendingDeliveries(condition)) > 0) {
    if (Date.now() > until) throw new Error(`${what}: ${left} deliveries are stuck`);
    await pause(250);
  }
}

async function quietPhase() {
  const startedAt = Date.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (next < plan.quietCustomers) await buy(world.sdkHeaders, `quiet-${next++}`, 'pro_monthly');
    }),
  );
  await untilSent('without faults', 'attempts = 0', 60_000);
  const seconds = (Date.now() - startedAt) / 1000;
  log(`without faults: ${receiver.requests.length} deliveries attempted in ${seconds.toFixed(1)} s`);
}

/** Kills processes while customers buy; gives what they bought and were told they have. */
async function chaosPhase(sdkHeaders) {
  const until = Date.now() + plan.chaosMs;
  const bought = [];
  const shopping = Array.from({ length: CHAOS_BUYERS }, async (_, buyer) => {
    for (let count = 0; Date.now() < until; count++) {
      const customer = `chaos-${buyer}-${count}`;
      for (const product of ['chaos_monthly', 'chaos_coins', 'chaos_coins']) {
        await buy(sdkHeaders, customer, product);
        bought.push(customer);
      }
      await pause(100);
    }
  });
  const killing = (async () => {
    const restarts = [];
    while (Date.now() < until) {
      await pause(500 + Math.random() * 2500);
      restarts.push(fleet.killOne());
    }
    await Promise.all(restarts);
  })();
  await Promise.all([...shopping, killing]);
  log(`with faults: ${bought.length} purchases, ${fleet.kills.length} processes killed`);
  // What a dead process held comes back when its lease ends; then it is sent at once.
  await untilSent(
    'after the faults',
    `webhook_integration_id = ANY ('{${world.chaosIds.join(',')}}')`,
    plan.leaseMs + 30_000,
  );
  return bought;
}

async function createChaosApp(post) {
  const app = await post('/apps', { name: 'Chaos', type: 'test_store' });
  const test_store_price = { amount_micros: 990_000, currency: 'USD' };
  const product = (store_identifier, type, more) =>
    post('/products', { store_identifier, app_id: app.id, type, test_store_price, ...more });
  await product('chaos_monthly', 'subscription', { subscription: { duration: 'P1M' } });
  await product('chaos_coins', 'consumable', {});
  const path = `${world.path}/apps/${app.id}/public_api_keys`;
  const keys = await fleet.call('GET', path, { authorization: `Bearer ${world.key}` });
  const ids = [];
  for (const [name, ordered] of [
    ['plain', false],
    ['ordered', true],
  ]) {
    const url = `${receiver.url}/chaos/${name}`;
    ids.push((await post('/integrations/webhooks', { name, url, ordered, app_id: app.id })).id);
  }
  world.chaosIds = ids;
  return { authorization: `Bearer ${keys.body.items[0].key}`, 'x-platform': 'web' };
}

const problems = [];
try {
  await sql.connect();
  await fleet.start();
  world = await buildWorld(fleet.first, 0, null);
  const post = async (path, body) => {
    const answer = await fleet.call(
      'POST',
      world.path + path,
      { authorization: `Bearer ${world.key}` },
      body,
    );
    if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  for (let index = 0; index < QUIET_ENDPOINTS; index++) {
    const url = `${receiver.url}/quiet/${index}`;
    await post('/integrations/webhooks', { name: `quiet ${index}`, url, app_id: world.appId });
  }
  const chaosKey = await createChaosApp(post);
  await quietPhase();
  const bought = await chaosPhase(chaosKey);
  problems.push(...(await checkChaos({ sql, receiver, bought, stale, kills: fleet.kills, log })));
  await untilSent('the second slot', 'true', 330_000);
  problems.push(
    ...checkQuiet({ receiver, customers: plan.quietCustomers, endpoints: QUIET_ENDPOINTS, failedOnce, log }),
  );
} catch (error) {
  problems.push(error.stack);
} finally {
  await fleet.stop();
  receiver.close();
  await sql.end().catch(() => undefined);
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
  clearTimeout(overdue);
}
for (const problem of problems) log(`FAILED: ${problem}`);
log(
  problems.length === 0
    ? 'ok: no event lost, none stuck, no duplicate without a kill'
    : `${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);
