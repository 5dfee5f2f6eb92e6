import pg from 'pg';
import { buildWorld } from '../../../bench/world.mjs';
import { buildOrExit } from '../../../scripts/build.mjs';
import { argument, log, makeFolder, pause, requirePrograms, until } from '../programs.mjs';
import { sendReceipt, startBuyers, startServer } from '../server.mjs';
import { startCluster } from './cluster.mjs';

/**
 * Proof that no purchase is lost with the leader of the database: customers buy without a pause while it is killed,
 * `--rounds` times (3). Each time the other node takes over, and the dead one comes back as its replica.
 */
const LIMIT_MS = 40_000;
const BUYERS = 8;
const PAUSE_MS = 50;
const AROUND_MS = 5_000;

const rounds = Number(argument('rounds', 3));

requirePrograms({ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' });
await buildOrExit();
const files = makeFolder();
const stops = [files.remove];

/** Customers whose purchase was acknowledged, and is missing. */
async function missing(url, acknowledged) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT customer FROM unnest($1::text[]) AS customer WHERE NOT EXISTS (
       SELECT 1 FROM customer_aliases a JOIN subscriptions s USING (project_id, customer_id)
       WHERE a.app_user_id = customer)`,
    [acknowledged.map(({ customer }) => customer)],
  );
  await client.end();
  return rows.map(({ customer }) => customer);
}

try {
  const cluster = await startCluster(files.folder);
  stops.push(cluster.stop);
  const servers = [await startServer(cluster.url), await startServer(cluster.url)];
  stops.push(() => Promise.all(servers.map((server) => server.stop())));
  const { sdkHeaders } = await buildWorld(servers[0].url, 0, null);
  let turn = 0;
  const buyers = startBuyers(BUYERS, 'failover', async (body) => {
    await pause(PAUSE_MS);
    return sendReceipt(servers[turn++ % servers.length].url, sdkHeaders, body);
  });
  stops.push(buyers.stop);
  for (let round = 1; round <= rounds; round++) {
    await pause(AROUND_MS);
    const { node, at } = await cluster.killLeader();
    const first = () => buyers.acknowledged.find(({ sentAt }) => sentAt > at);
    await until('a customer buys again', () => first() !== undefined, 120_000);
    const tookMs = first().at - at;
    log(`round ${round}: ${node.name} killed, first purchase after ${(tookMs / 1000).toFixed(1)} s`);
    if (tookMs > LIMIT_MS) throw new Error(`that is more than ${LIMIT_MS / 1000} s`);
    await pause(AROUND_MS);
    const lost = await missing(cluster.url, [...buyers.acknowledged]);
    if (lost.length > 0) throw new Error(`${lost.length} purchases are lost, such as ${lost[0]}`);
    if (round < rounds) await cluster.bringBack(node);
  }
  await buyers.stop();
  const { acknowledged, statuses, refused } = buyers;
  log(`answers by status (0: no answer): ${JSON.stringify(statuses)}`);
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused.slice(0, 5))}`);
  const lost = await missing(cluster.url, acknowledged);
  log(`${lost.length} of ${acknowledged.length} acknowledged purchases lost`);
  if (lost.length > 0) throw new Error(`such as ${lost[0]}`);
} catch (error) {
  process.exitCode = 1;
  log(`FAILED: ${error.stack}`);
} finally {
  for (const stop of stops.reverse()) await stop();
}
