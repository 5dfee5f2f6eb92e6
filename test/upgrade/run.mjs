import { join } from 'node:path';
import pg from 'pg';
import { call } from '../../bench/world.mjs';
import { buildOrExit } from '../../scripts/build.mjs';
import { buildFullWorld } from '../operations/data.mjs';
import { argument, log, makeFolder, pause, startPostgres, until } from '../operations/programs.mjs';
import { startReceiver } from '../operations/receiver.mjs';
import { sendReceipt, startBuyers, startServer, tenure } from '../operations/server.mjs';
import { buildVersion } from './versions.mjs';

/**
 * Proof that an upgrade does not disturb clients: an older version fills a database and continues to serve it while this version
 * migrates it; then both serve, then this one alone. `--from <git reference>` (default: the last release),
 * `--customers <number>`.
 */
/** The commit of 0.16.0. */
const LAST_RELEASE = '79e2fb6c60740657b8c4d9bb0eb3e0f39f1d7b6c';
const LIMIT_MS = 60_000;
const SALES = 4;
const READERS = 4;
const AROUND_MS = 5_000;

const customers = Number(argument('customers', 100_000));

function check(condition, what) {
  if (!condition) throw new Error(what);
  log(`ok: ${what}`);
}

/** People who look at what they have, at the server that `target` names then. */
function startReaders(target, headers) {
  const figures = { total: 0, slowestMs: 0, failed: [] };
  let stopped = false;
  const reader = async () => {
    while (!stopped) {
      const startedAt = Date.now();
      const path = `/v1/subscribers/customer-${Math.floor(Math.random() * customers)}`;
      const status = await fetch(target() + path, { headers, signal: AbortSignal.timeout(30_000) })
        .then(async (answer) => (await answer.arrayBuffer(), answer.status))
        .catch((error) => String(error.cause ?? error));
      figures.total++;
      figures.slowestMs = Math.max(figures.slowestMs, Date.now() - startedAt);
      if (status !== 200 && status !== 503) figures.failed.push(status);
      await pause(5);
    }
  };
  const all = Promise.all(Array.from({ length: READERS }, reader));
  const stop = async () => {
    stopped = true;
    await all;
  };
  return { figures, stop };
}

await buildOrExit();
const version = buildVersion(argument('from', LAST_RELEASE));
const files = makeFolder();
const receiver = await startReceiver();
receiver.work();
const stops = [files.remove, version.remove, receiver.close];
try {
  const database = await startPostgres(join(files.folder, 'data'));
  stops.push(database.stop);
  const old = await startServer(database.url, { home: version.home });
  stops.push(old.stop);
  let startedAt = Date.now();
  const world = await buildFullWorld(old.url, customers, receiver.url);
  log(`the old version took ${customers} purchases in ${Math.round((Date.now() - startedAt) / 1000)} s`);

  let current = old.url;
  const send = async (body) => {
    const status = await sendReceipt(current, world.sdkHeaders, body);
    await pause(5);
    return status;
  };
  const buyers = startBuyers(SALES, 'during', send);
  stops.push(buyers.stop);
  const readers = startReaders(() => current, world.sdkHeaders);
  stops.push(readers.stop);
  await pause(AROUND_MS);
  const before = buyers.acknowledged.length;
  startedAt = Date.now();
  const ran = await tenure(database.url, ['migrate']);
  const tookMs = Date.now() - startedAt;
  const meanwhile = buyers.acknowledged.length - before;
  const delivered = receiver.seen.size;
  check(
    tookMs < LIMIT_MS,
    `${ran.trim().split('\n').length} migrations ran in ${(tookMs / 1000).toFixed(1)} s, ${meanwhile} purchases meanwhile`,
  );
  await pause(AROUND_MS);
  check(
    buyers.acknowledged.length > before + meanwhile,
    'the old version continues to sell on the new schema',
  );
  check(receiver.seen.size > delivered, 'the old version continues to deliver webhooks on the new schema');
  const fresh = await startServer(database.url);
  stops.push(fresh.stop);
  current = fresh.url;
  await pause(AROUND_MS);
  await buyers.stop();
  await readers.stop();
  const { attempts, refused, acknowledged } = buyers;
  log(`${attempts.total} receipts sent, ${attempts.again} of them again; ${readers.figures.total} reads`);
  log(`the slowest read took ${readers.figures.slowestMs} ms`);
  check(refused.length === 0, `no receipt failed but with 503 ${JSON.stringify(refused.slice(0, 3))}`);
  check(readers.figures.failed.length === 0, `no read failed ${readers.figures.failed.slice(0, 3)}`);
  for (const { customer } of acknowledged) {
    const answer = await call(fresh.url, 'GET', `/v1/subscribers/${customer}`, world.sdkHeaders);
    if (!answer.json.subscriber.entitlements.pro) throw new Error(`${customer} has lost the entitlement`);
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const count = async (statement, values) => (await client.query(statement, values)).rows[0].count;
  const owners = await count(
    `SELECT count(DISTINCT customer_id)::int AS count FROM subscriptions WHERE project_id = $1`,
    [world.projectId],
  );
  check(
    owners >= customers + acknowledged.length,
    `all ${acknowledged.length} purchases made meanwhile are there, and ${customers} from before`,
  );
  const pending = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status <> 'delivered'`;
  await until('all webhooks are delivered', async () => (await count(pending)) === 0, 120_000);
  check(receiver.seen.size >= acknowledged.length, `${receiver.seen.size} events were delivered`);
  await client.end();
} catch (error) {
  process.exitCode = 1;
  log(`FAILED: ${error.stack}`);
} finally {
  for (const stop of stops.reverse()) await stop();
}
