import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildOrExit } from '../scripts/build.mjs';
import { buildWorld } from './world.mjs';

const quick = process.argv.includes('--quick');
const CUSTOMERS = quick ? 1_000 : 10_000;
const SECONDS = quick ? 2 : 5;
const RUNS = quick ? 1 : 3;
const CONNECTIONS = 64;
const SERVER_PORT = 18787;
const REFERENCE_PORT = 18788;

const pinned = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
const nodeOn = (core, args, options) =>
  pinned
    ? spawn('taskset', ['-c', String(core), process.execPath, ...args], options)
    : spawn(process.execPath, args, options);

const log = (text) => process.stderr.write(`${text}\n`);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Resident memory of a process in MB, where the system tells. */
function rssMb(pid) {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return kilobytes ? Math.round(Number(kilobytes[1]) / 1024) : null;
  } catch {
    return null;
  }
}

async function until(what, check) {
  for (let tries = 0; tries < 400; tries++) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not become ready`);
}

async function loadOnce(plan) {
  const child = nodeOn(1, [new URL('load.mjs', import.meta.url).pathname, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await once(child, 'close');
  return JSON.parse(output);
}

async function measure(name, { databaseUrl, ...plan }) {
  await loadOnce({ ...plan, connections: CONNECTIONS, customers: CUSTOMERS, seconds: Math.min(2, SECONDS) });
  if (databaseUrl) await vacuumAnalyze(databaseUrl);
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    runs.push(await loadOnce({ ...plan, connections: CONNECTIONS, customers: CUSTOMERS, seconds: SECONDS }));
  }
  const figures = Object.fromEntries(
    ['perSecond', 'p50', 'p99', 'failed'].map((key) => [key, median(runs.map((run) => run[key]))]),
  );
  log(`${name}: ${Math.round(figures.perSecond)}/s`);
  return { name, ...figures };
}

/** What autovacuum does within a minute on a live server: plans made for empty tables are made again. */
async function vacuumAnalyze(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function main() {
  const built = spawnSync(process.execPath, [new URL('../scripts/build.mjs', import.meta.url).pathname], {
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('the build failed');
  const { startEmbeddedPostgres } = await import('../dist/src/database/embedded/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-'));
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durability: 'full' });
  const receiver = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${SERVER_PORT}`;
  const startedAt = performance.now();
  const server = nodeOn(0, [new URL('../dist/src/main.js', import.meta.url).pathname], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'warn',
      PORT: String(SERVER_PORT),
    },
  });
  let reference;
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const readyMs = Math.round(performance.now() - startedAt);
    const idleMb = rssMb(server.pid);
    log(`ready after ${readyMs} ms (empty database), ${idleMb} MB; loading ${CUSTOMERS} customers`);
    const { sdkHeaders } = await buildWorld(url, CUSTOMERS, `http://127.0.0.1:${receiver.address().port}/`);
    await vacuumAnalyze(database.url);
    const answer = await fetch(`${url}/v1/subscribers/customer-1`, { headers: sdkHeaders });
    const body = await answer.text();
    const etag = answer.headers.get('x-revenuecat-etag');
    reference = nodeOn(0, [new URL('reference-server.mjs', import.meta.url).pathname], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        BODY: body,
        CUSTOMERS: String(CUSTOMERS),
        PORT: String(REFERENCE_PORT),
      },
    });
    await once(reference.stdout, 'data');
    const bare = { url: `http://127.0.0.1:${REFERENCE_PORT}`, kind: 'fixed', headers: {} };
    const headers = { ...sdkHeaders, 'content-type': 'application/json' };
    const hot = { url, headers, databaseUrl: database.url };
    const rows = [];
    rows.push(await measure('reference: bare node:http', { ...bare, path: '/bare' }));
    rows.push(await measure('reference: one indexed read', { ...bare, path: '/read' }));
    rows.push(await measure('GET customer info', { ...hot, kind: 'customer_info' }));
    rows.push(
      await measure('GET customer info, 304', {
        ...hot,
        kind: 'fixed',
        path: '/v1/subscribers/customer-1',
        headers: { ...hot.headers, 'x-revenuecat-etag': etag },
      }),
    );
    rows.push(await measure('GET offerings', { ...hot, kind: 'offerings' }));
    rows.push(await measure('POST receipts', { ...hot, kind: 'receipts', productId: 'pro_monthly' }));
    rows.push(await measure('reference: one indexed read, again', { ...bare, path: '/read' }));
    report(rows, { readyMs, idleMb, loadedMb: rssMb(server.pid) });
  } finally {
    server.kill('SIGTERM');
    reference?.kill('SIGKILL');
    await once(server, 'close');
    receiver.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(rows, process_) {
  const oneRead = median(
    rows.filter(({ name }) => name.includes('one indexed read')).map(({ perSecond }) => perSecond),
  );
  const bare = rows[0].perSecond;
  const table = rows.map(({ name, perSecond, p50, p99, failed }) => ({
    path: name,
    'req/s': Math.round(perSecond),
    'p50 ms': p50,
    'p99 ms': p99,
    'x one read': Number((perSecond / oneRead).toFixed(2)),
    'x bare': Number((perSecond / bare).toFixed(2)),
    failed,
  }));
  console.table(table);
  console.log(
    `idle ${process_.idleMb} MB, after the load ${process_.loadedMb} MB, ready after ${process_.readyMs} ms`,
  );
  const results = new URL('results/', import.meta.url).pathname;
  mkdirSync(results, { recursive: true });
  const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ node: process.version, pinned, rows: table, ...process_ }, null, 2)}\n`,
  );
  console.log(`written to ${file}`);
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

const { values: choice } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } });
if (choice.only === undefined) await main();
else if (choice.only === 'webhooks') {
  buildOrExit();
  const { benchWebhooks } = await import('./webhooks.mjs');
  await benchWebhooks({ nodeOn, until, log, quick });
} else {
  log(`there is no benchmark ${choice.only}; there is webhooks`);
  process.exitCode = 2;
}
