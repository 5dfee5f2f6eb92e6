import pg from 'pg';
import { buildWorld } from '../../bench/world.mjs';
import { Fleet } from './fleet.mjs';

/**
 * Environment of a run: server processes on their own database, with a project. `sql` queries the database
 * directly, and reconnects after an outage; the servers connect through `port` if given. With `hasWorkers`
 * the first one has two processes.
 */
export async function openStage(
  cluster,
  name,
  { size = 3, environment = {}, port = cluster.port, hasWorkers = false } = {},
) {
  const databaseUrl = await cluster.createDatabase(`run_${name}`);
  const ofServers = new URL(databaseUrl);
  ofServers.port = port;
  const fleet = new Fleet(size, {
    DATABASE_URL: ofServers.href,
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_DEMO: 'false',
    SERVICE_DATABASE_POOL_SIZE: '10',
    SERVICE_LOG_LEVEL: 'fatal',
    ...environment,
  });
  if (hasWorkers) fleet.members[0].environment.SERVICE_WORKERS = '2';
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  sql.on('error', () => undefined);
  const close = async () => {
    await fleet.stop();
    await sql.end();
  };
  try {
    await fleet.start();
    const world = await buildWorld(fleet.first, 0, null);
    /** A write of the backend that has to succeed. */
    const post = async (path, body) => {
      const headers = { authorization: `Bearer ${world.key}` };
      const answer = await fleet.call('POST', world.path + path, headers, body);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
      return answer.body;
    };
    return { fleet, world, sql, post, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An app of the Test Store with a subscription and a consumable; gives the headers of its phones. */
export async function openShop({ fleet, world, post }, name, appType = { type: 'test_store' }) {
  const app = await post('/apps', { name, ...appType });
  const keys = await fleet.call('GET', `${world.path}/apps/${app.id}/public_api_keys`, {
    authorization: `Bearer ${world.key}`,
  });
  const headers = { authorization: `Bearer ${keys.body.items[0].key}`, 'x-platform': 'web' };
  return { appId: app.id, headers };
}

/** Products of an app of the Test Store. */
export async function stock({ post }, appId, { monthly, coins }) {
  const test_store_price = { amount_micros: 990_000, currency: 'USD' };
  const subscription = { duration: 'P1M' };
  await post('/products', {
    store_identifier: monthly,
    app_id: appId,
    type: 'subscription',
    subscription,
    test_store_price,
  });
  await post('/products', { store_identifier: coins, app_id: appId, type: 'consumable', test_store_price });
}

/** One webhook in any order and one in the order of each customer's events; gives their ids. */
export async function openChaosWebhooks({ post }, receiverUrl, appId) {
  const ids = [];
  for (const [name, ordered] of Object.entries({ plain: false, ordered: true })) {
    const url = `${receiverUrl}/chaos/${name}`;
    ids.push((await post('/integrations/webhooks', { name, url, ordered, app_id: appId })).id);
  }
  return ids;
}
