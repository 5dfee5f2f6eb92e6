import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_790;
const RATE = 100;
const SLOW_MS = 200;
const SLOW_ENDPOINTS = 8;
const TICKS_PER_SECOND = 100;

/** A consumer that notes how long after its recording each event came (ms); `answer` ends the response. */
async function consumer(answer) {
  const delays = [];
  const times = [];
  const server = createServer((request, response) => {
    const cameAt = Date.now();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { event } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      delays.push(cameAt - event.event_timestamp_ms);
      times.push(cameAt);
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    delays,
    times,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Processor time that a process has used (s), where the system tells. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * What one server process does with webhooks; prints a table. `nodeOn`, `until`, `log`: how run.mjs starts, waits
 * and tells; `backlog`: how many deliveries wait at once.
 */
export async function benchWebhooks({ nodeOn, until, log, quick, backlog }) {
  const seconds = quick ? 4 : 10;
  const customers = quick ? 1_000 : 3_000;
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, {
    database,
    port: PORT,
    core: 0,
    env: {
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_WEBHOOK_REPLAY_RATE: '10000',
    },
  });
  const consumers = [];
  const statistics = new pg.Client({ connectionString: database.url });
  try {
    await statistics.connect();
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    log(`loading ${customers} customers`);
    const startMs = Date.now() - 1;
    const world = await buildWorld(url, customers, null);
    await statistics.query('VACUUM ANALYZE');
    const authorization = { authorization: `Bearer ${world.key}` };
    const post = async (path, body) => (await call(url, 'POST', world.path + path, authorization, body)).json;
    const drop = (id) => call(url, 'DELETE', `${world.path}/integrations/webhooks/${id}`, authorization);
    const open = async (answer) => {
      const endpoint = await consumer(answer);
      consumers.push(endpoint);
      const { id } = await post('/integrations/webhooks', { name: 'bench', url: endpoint.url });
      return { id, ...endpoint };
    };
    const ok = (response) => response.end('ok');

    /** Purchases at a fixed rate, whatever the server does. */
    const buy = async () => {
      const running = [];
      const from = performance.now();
      for (let count = 0; count < RATE * seconds; count++) {
        const waitMs = from + (count * 1000) / RATE - performance.now();
        if (waitMs > 0) await pause(waitMs);
        const body = {
          app_user_id: `latency-${randomUUID()}`,
          fetch_token: `test_${Date.now()}_${randomUUID()}`,
          product_id: 'pro_monthly',
          currency: 'USD',
        };
        running.push(call(url, 'POST', '/v1/receipts', world.sdkHeaders, body));
      }
      await Promise.all(running);
    };
    const latency = async () => {
      const endpoint = await open(ok);
      await buy();
      await until('the deliveries', async () => endpoint.times.length >= RATE * seconds);
      await drop(endpoint.id);
      return endpoint.delays;
    };
    const rows = [];
    const note = (what, figures) => {
      rows.push({ what, ...figures });
      log(`${what}: ${JSON.stringify(figures)}`);
    };
    const besideHealthy = [];
    const besideHanging = [];
    await latency();
    for (let run = 0; run < 2; run++) {
      // Beside a second endpoint both times: what differs is only that it hangs.
      const healthy = await open(ok);
      besideHealthy.push(...(await latency()));
      await drop(healthy.id);
      const hanging = await open(() => undefined);
      besideHanging.push(...(await latency()));
      await drop(hanging.id);
    }
    const of = (delays) => ({ 'p50 ms': percentile(delays, 0.5), 'p99 ms': percentile(delays, 0.99) });
    note(`first attempt at ${RATE} events/s, beside a healthy endpoint`, of(besideHealthy));
    note('the same, beside a hanging endpoint', of(besideHanging));
    const slowdown = percentile(besideHanging, 0.99) / percentile(besideHealthy, 0.99);
    note('what the hanging endpoint does to the other (1.2 at most)', {
      'x p99': Number(slowdown.toFixed(2)),
    });

    /** Sends the history to new endpoints; gives deliveries a second between the first and the last. */
    const drain = async (count, answer) => {
      const endpoints = await Promise.all(Array.from({ length: count }, () => open(answer)));
      const cpuBefore = cpuSeconds(server.pid);
      let queued = 0;
      for (const { id } of endpoints) {
        const range = { from: startMs, to: startMs + 86_400_000, status: 'all' };
        queued += (await post(`/webhooks/${id}/actions/replay`, range)).queued;
      }
      const times = () => endpoints.flatMap((endpoint) => endpoint.times);
      while (times().length < queued) await pause(100);
      const [first, last] = [Math.min(...times()), Math.max(...times())];
      const cpuMs = cpuBefore === null ? null : (cpuSeconds(server.pid) - cpuBefore) * 1000;
      await Promise.all(endpoints.map(({ id }) => drop(id)));
      return {
        deliveries: queued,
        'deliveries/s': Math.round((queued * 1000) / (last - first)),
        'CPU ms each': cpuMs === null ? null : Number((cpuMs / queued).toFixed(2)),
      };
    };
    const slow = (response) => setTimeout(() => response.end('ok'), SLOW_MS);
    note('a backlog, answered at once', await drain(1, ok));
    if (!quick) await statistics.query('VACUUM ANALYZE');
    note(`${SLOW_ENDPOINTS} endpoints that answer after ${SLOW_MS} ms`, await drain(SLOW_ENDPOINTS, slow));

    /** Lets everything wait first: what is measured is only the way out. */
    const drainBacklog = async () => {
      const endpoints = await Promise.all(Array.from({ length: SLOW_ENDPOINTS }, () => open(slow)));
      const ids = endpoints.map(({ id }) => id);
      const turn = (enabled) =>
        Promise.all(ids.map((id) => post(`/integrations/webhooks/${id}`, { enabled })));
      await turn(false);
      log(`queueing ${backlog} deliveries`);
      await statistics.query(
        `INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id,
           event_created_at, event_type, next_attempt_at)
         SELECT e.project_id, now(), 'whd_backlog' || n, ($1::text[])[1 + n % cardinality($1)], e.id, e.created_at,
           e.type, now()
         FROM generate_series(1, $2::int) n JOIN (
           SELECT *, row_number() OVER () - 1 AS place, count(*) OVER () AS events FROM events
         ) e ON e.place = n % e.events`,
        [ids, backlog],
      );
      const times = () => endpoints.flatMap((endpoint) => endpoint.times);
      const cpuBefore = cpuSeconds(server.pid);
      await turn(true);
      while (times().length < backlog) await pause(100);
      const cpuMs = cpuBefore === null ? null : (cpuSeconds(server.pid) - cpuBefore) * 1000;
      const sorted = times().toSorted((a, b) => a - b);
      // The rate of the slowest tenth tells whether a long queue is slower than a short one.
      const tenths = Array.from({ length: 10 }, (_, tenth) => {
        const part = sorted.slice((tenth * backlog) / 10, ((tenth + 1) * backlog) / 10);
        return (part.length * 1000) / Math.max(1, part.at(-1) - part[0]);
      });
      await until('the last answers', async () => {
        const waiting = `SELECT FROM webhook_deliveries WHERE status = 'pending' AND webhook_integration_id = ANY ($1)`;
        return (await statistics.query(waiting, [ids])).rowCount === 0;
      });
      await Promise.all(ids.map(drop));
      return {
        deliveries: sorted.length,
        'deliveries/s': Math.round((backlog * 1000) / (sorted.at(-1) - sorted[0])),
        'slowest tenth/s': Math.round(Math.min(...tenths)),
        'CPU ms each': cpuMs === null ? null : Number((cpuMs / backlog).toFixed(2)),
      };
    };
    note(`${backlog} waiting deliveries, answered after ${SLOW_MS} ms`, await drainBacklog());

    const before = cpuSeconds(server.pid);
    await pause(seconds * 1000);
    const used = before === null ? null : ((cpuSeconds(server.pid) - before) * 100) / seconds;
    note('idle', { 'CPU %': used === null ? null : Number(used.toFixed(1)) });
    console.table(rows);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    for (const { close } of consumers) close();
    await statistics.end().catch(() => undefined);
    await database.stop();
  }
}
