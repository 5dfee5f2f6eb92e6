import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { buildWorld } from '../../../bench/world.mjs';
import { Cluster } from '../../chaos/cluster.mjs';
import { Fleet } from '../../chaos/fleet.mjs';
import { receiptOf, steadily } from '../../chaos/load.mjs';
import { openShop } from '../../chaos/stage.mjs';
import { startPrometheus } from '../../support/prometheus.mjs';
import { tenure } from '../server.mjs';
import { scaledRules } from './scaled-rules.mjs';

/** A minute of the rules is two seconds here. */
export const FACTOR = 30;
/** Longer than gauges wait for a database that does not answer, since Prometheus waits for no more than it. */
const SCRAPE_MS = 2_500;
const REQUESTS_PER_S = 30;
/** While the database is away requests wait; no more than these do. */
const MAX_WAITING = 100;
/** Of the servers, as hardened installations have it: it owns nothing. */
const ROLE = 'app';

/** An HTTP server whose answer faults change: `answer(response)`. */
async function startAnswering(answer) {
  const state = { answer };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => state.answer(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => server.closeAllConnections() || server.close(),
  });
}

async function openDatabase(cluster) {
  const url = await cluster.createDatabase('alerts');
  await tenure(url, ['migrate']);
  const sql = new pg.Pool({ connectionString: url, max: 4 });
  sql.on('error', () => undefined);
  await sql.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE}`);
  const ofRole = new URL(url);
  ofRole.username = ROLE;
  ofRole.password = ROLE;
  return { sql, url: ofRole.href };
}

/** Purchases and reads, steadily; what is not answered is not sent again. */
function startTraffic({ fleet, world }) {
  let isOver = false;
  const paths = [
    '/v1/subscribers/reader',
    `${world.path}/customers?limit=5`,
    '/v1/subscribers/other/offerings',
  ];
  const send = async (number) => {
    const isReceipt = number % 3 === 0;
    const path = isReceipt ? '/v1/receipts' : paths[number % paths.length];
    const headers = path.startsWith('/v2') ? world.backendHeaders : world.sdkHeaders;
    await fetch(fleet.first + path, {
      method: isReceipt ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      body: isReceipt ? JSON.stringify(receiptOf(`buyer-${number % 500}`, 'pro_monthly')) : undefined,
      signal: AbortSignal.timeout(30_000),
    })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  };
  const running = steadily(REQUESTS_PER_S, () => isOver, send, MAX_WAITING);
  return async () => {
    isOver = true;
    await running;
  };
}

/**
 * An API process and a worker on a PostgreSQL of their own, customers who buy, webhooks, a store that faults can make
 * refuse, and a Prometheus with the rules, scaled, and the labels of a ServiceMonitor.
 */
export async function openStage() {
  const cluster = new Cluster();
  const stops = [() => cluster.stop()];
  const close = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    await cluster.start();
    const { sql, url } = await openDatabase(cluster);
    stops.push(() => sql.end());
    const receiver = await startAnswering((response) => response.end());
    const amazon = await startAnswering((response) => response.writeHead(500).end());
    stops.push(receiver.close, amazon.close);
    const fleet = new Fleet(2, {
      DATABASE_URL: url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_DEMO: 'false',
      SERVICE_DATABASE_POOL_SIZE: '5',
      SERVICE_DATABASE_TIMEOUT_MS: '4000',
      SERVICE_MAX_REQUESTS_IN_FLIGHT: '150',
      SERVICE_WEBHOOK_CIRCUIT_FAILURES: '3',
      SERVICE_WEBHOOK_ENDPOINT_CONCURRENCY: '4',
      SERVICE_TEST_STORES: 'true',
      SERVICE_AMAZON_RVS_URL: amazon.url,
      SERVICE_LOG_LEVEL: 'fatal',
    });
    const [api, worker] = fleet.members;
    api.environment = { SERVICE_ROLE: 'api' };
    worker.environment = { SERVICE_ROLE: 'worker' };
    stops.push(() => fleet.stop());
    await fleet.start();
    const world = await buildWorld(fleet.first, 20, receiver.url);
    const post = async (path, body) => {
      const answer = await fleet.call('POST', world.path + path, world.backendHeaders, body);
      if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
      return answer.body;
    };
    stops.push(startTraffic({ fleet, world }));
    const targets = Object.entries({ api, worker }).map(([component, { port }]) => ({
      address: `127.0.0.1:${port}`,
      labels: {
        job: 'tenure-metrics',
        namespace: 'tenure',
        service: 'tenure-metrics',
        endpoint: 'metrics',
        container: 'server',
        pod: `tenure-${component}-0`,
        app_kubernetes_io_component: component,
      },
    }));
    const groups = scaledRules(FACTOR);
    const prometheus = await startPrometheus({ folder: cluster.folder, groups, targets, everyMs: SCRAPE_MS });
    stops.push(prometheus.stop);
    const stage = {
      cluster,
      sql,
      url,
      role: ROLE,
      receiver,
      amazon,
      fleet,
      api,
      worker,
      world,
      post,
      prometheus,
      close,
    };
    stage.openShop = (...values) => openShop(stage, ...values);
    /** Starts a process again, with other variables. */
    stage.restart = async (member, environment = {}) => {
      const before = member.environment;
      await fleet.terminate(member);
      member.environment = { ...before, ...environment };
      await fleet.launch(member);
      member.environment = before;
    };
    return stage;
  } catch (error) {
    await close();
    throw error;
  }
}

export { pause };
