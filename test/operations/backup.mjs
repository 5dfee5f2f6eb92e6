import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { call } from '../../bench/world.mjs';
import { buildOrExit } from '../../scripts/build.mjs';
import { buildFullWorld } from './data.mjs';
import { log, makeFolder, output, postgresPrograms, startPostgres, until } from './programs.mjs';
import { startReceiver } from './receiver.mjs';
import { sendReceipt, startBuyers, startServer, tenure } from './server.mjs';

/**
 * Proof that a backup is worth something: it is taken with `tenure verify --dump` while customers buy, restored into
 * an empty server, found equal, and a server continues from there, with what was still to be done.
 */
const CUSTOMERS = 2_000;
const BUYERS = 8;

async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function check(condition, what) {
  if (!condition) throw new Error(what);
  log(`ok: ${what}`);
}

process.env.PATH = `${postgresPrograms()}:${process.env.PATH}`;
await buildOrExit();
const source = makeFolder();
const target = makeFolder();
const receiver = await startReceiver();
const stops = [];
try {
  const database = await startPostgres(join(source.folder, 'data'));
  stops.push(database.stop);
  const server = await startServer(database.url);
  stops.push(server.stop);
  const world = await buildFullWorld(server.url, CUSTOMERS, receiver.url);
  const send = (body) => sendReceipt(server.url, world.sdkHeaders, body);

  // The endpoint is down: deliveries wait, and the backup has them.
  const buyers = startBuyers(BUYERS, 'during', send);
  stops.push(buyers.stop);
  await until('customers buy', () => buyers.acknowledged.length > 100);
  const file = join(source.folder, 'tenure.dump');
  const sumsFile = join(source.folder, 'sums.json');
  const before = [...buyers.acknowledged];
  const startedAt = Date.now();
  writeFileSync(sumsFile, await tenure(database.url, ['verify', '--dump', file]));
  const seconds = (Date.now() - startedAt) / 1000;
  const meanwhile = buyers.acknowledged.length - before.length;
  await buyers.stop();
  check(meanwhile > 0, `the backup took ${seconds.toFixed(1)} s, in which ${meanwhile} customers bought`);
  check(buyers.refused.length === 0, 'no purchase was refused meanwhile');
  await server.stop();
  await database.stop();
  stops.length = 0;

  const empty = await startPostgres(join(target.folder, 'data'));
  stops.push(empty.stop);
  await output('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${empty.url}`, file]);
  check(
    /hold the same rows/.test(await tenure(empty.url, ['verify', '--against', sumsFile])),
    'the restored database has the same rows',
  );
  const filled = Object.entries(JSON.parse(await tenure(empty.url, ['verify'])));
  const withRows = filled.filter(([, { rows }]) => rows > 0).map(([name]) => name);
  log(`${withRows.length} of ${filled.length} tables have rows: ${withRows.join(', ')}`);
  const pending = await query(
    empty.url,
    `SELECT DISTINCT event_id AS id FROM webhook_deliveries WHERE status = 'pending'`,
  );
  check(pending.length > CUSTOMERS / 100, `${pending.length} events wait for their endpoint`);

  receiver.work();
  const restored = await startServer(empty.url);
  stops.push(restored.stop);
  for (const { customer } of before) {
    const answer = await call(restored.url, 'GET', `/v1/subscribers/${customer}`, world.sdkHeaders);
    if (!answer.json.subscriber.entitlements.pro) throw new Error(`${customer} has lost the entitlement`);
  }
  log(`ok: all ${before.length} who had bought before the backup have what they bought`);
  check(
    (await sendReceipt(restored.url, world.sdkHeaders, {
      app_user_id: 'after',
      fetch_token: `test_${Date.now()}_after`,
      product_id: 'pro_monthly',
    })) === 200,
    'the restored server sells',
  );
  // A delivery that failed once is due after minutes; this test does not wait for that.
  await query(empty.url, `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
  await until('what waited is delivered', () => pending.every(({ id }) => receiver.seen.has(id)), 180_000);
  check(true, 'everything that waited was delivered');
} catch (error) {
  process.exitCode = 1;
  log(`FAILED: ${error.stack}`);
} finally {
  for (const stop of stops.reverse()) await stop();
  receiver.close();
  source.remove();
  target.remove();
}
