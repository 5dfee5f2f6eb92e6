import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { buildOrExit } from '../scripts/build.mjs';
import { costColumns, costMeter } from './cost.mjs';
import { startDatabase } from './database.mjs';
import { paywallRows } from './paywalls.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { arrangeSignIn, startPasswordSignIns } from './sign-in.mjs';
import { buildWorld } from './world.mjs';

const quick = process.argv.includes('--quick');
const SECTIONS = [
  'sdk',
  'sign-in',
  'passwords',
  'paywalls',
  'v2',
  'lists',
  'mcp',
  'webhooks',
  'destinations',
  'due',
  'stores',
  'store-rules',
  'tracing',
  'enterprise',
  'targeting',
  'dashboard',
  'import',
  'datasets',
  'exports',
  'scim',
  'charts',
  'report-rows',
  'refunds',
  'notifications',
  'peak',
];
/** With a server of their own. */
const APART = [
  'webhooks',
  'destinations',
  'due',
  'stores',
  'store-rules',
  'tracing',
  'enterprise',
  'targeting',
  'dashboard',
  'import',
  'datasets',
  'exports',
  'scim',
  'charts',
  'report-rows',
  'refunds',
  'notifications',
  'peak',
];
/** Requests and sign-ins a second where the latency of requests beside sign-ins is measured. */
const BESIDE = { requests: 500, signIns: 20 };
const [, only = null] = process.argv.join(' ').match(/--only[ =](\S+)/) ?? [];
if (only !== null && !SECTIONS.includes(only)) throw new Error(`--only takes ${SECTIONS.join(', ')}`);
const [, backlog = quick ? 5_000 : 100_000] = process.argv.join(' ').match(/--backlog[ =](\d+)/) ?? [];
const wants = (section) => (only === null && !APART.includes(section)) || only === section;
const numberOf = (option, usual, least = 2) => {
  const [, text = String(usual)] = process.argv.join(' ').match(new RegExp(`--${option}[ =](\\S+)`)) ?? [];
  const number = Number(text);
  if (!Number.isInteger(number) || number < least) throw new Error(`--${option} takes a whole number`);
  return number;
};
/** Processes of the server; several share all cores with the load. */
const WORKERS = numberOf('workers', 1, 1);
/** The server signs every SDK answer, and the load asks for it as the SDKs do. */
const signing = process.argv.includes('--signing');
/** Sections whose load is spread over customers; few customers would wait for each other. */
const spreads = ['sdk', 'sign-in', 'paywalls'].some(wants);
const CUSTOMERS = numberOf('customers', !spreads ? 100 : quick ? 1_000 : 10_000);
const LIST_ROWS = quick ? 50_000 : 1_000_000;
const SECONDS = quick ? 2 : 5;
const RUNS = quick ? 1 : 3;
/** Customers who are signed in. */
const SIGNED_IN = 1_000;
const CONNECTIONS = 64;
const MS_PER_TICK = 10;
const SERVER_PORT = 18787;
const REFERENCE_PORT = 18788;

/** The server on one core and the load on another, unless `--unpinned`: then all share all cores. */
const pinned = !process.argv.includes('--unpinned') && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
/** Node on one core, or where the system likes (null). */
const nodeOn = (core, args, options) =>
  pinned && core !== null
    ? spawn('taskset', ['-c', String(core), process.execPath, ...args], options)
    : spawn(process.execPath, args, options);

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const log = (text) => process.stderr.write(`${text}\n`);
const median = (values) => percentile(values, 0.5);

/** Runs statements as an operator would. */
async function onDatabase(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What autovacuum does within a minute on a live server: plans made for empty tables are made again. */
function vacuumAnalyze(databaseUrl) {
  return onDatabase(databaseUrl, (client) => client.query('VACUUM ANALYZE'));
}

/** A process and those that it started, where the system tells. */
function family(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap(family)];
}

/** The sum of a figure over a family of processes; null where the system does not tell. */
function overFamily(pid, figureOf) {
  try {
    return family(pid).reduce((sum, one) => sum + figureOf(one), 0);
  } catch {
    return null;
  }
}

/** Resident memory in MB. */
const rssMb = (pid) =>
  overFamily(pid, (one) => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'));
    return Math.round(Number(kilobytes) / 1024);
  });

/** Processor time used so far (ms). */
const cpuMs = (pid) =>
  overFamily(pid, (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  });

async function until(what, check) {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await check().catch(() => false)) return;
    await pause(25);
  }
  throw new Error(`${what} did not become ready`);
}

async function loadOnce(plan) {
  const child = nodeOn(1, [pathOf('load.mjs'), JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await once(child, 'close');
  return JSON.parse(output);
}

/** `pid`: the process that answers. With `databasePid`, one more run measures the cost of a request. */
async function measure(name, pid, { databaseUrl, databasePid, ...plan }) {
  await loadOnce({ ...plan, connections: CONNECTIONS, customers: CUSTOMERS, seconds: Math.min(2, SECONDS) });
  if (databaseUrl) await vacuumAnalyze(databaseUrl);
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    const before = cpuMs(pid);
    const figures = await loadOnce({
      ...plan,
      connections: CONNECTIONS,
      customers: CUSTOMERS,
      seconds: SECONDS,
    });
    const cpuMicros = before === null ? null : ((cpuMs(pid) - before) * 1000) / (figures.perSecond * SECONDS);
    runs.push({ ...figures, cpuMicros });
  }
  const figures = Object.fromEntries(
    ['perSecond', 'p50', 'p95', 'p99', 'failed', 'cpuMicros'].map((key) => [
      key,
      median(runs.map((run) => run[key])),
    ]),
  );
  log(`${name}: ${Math.round(figures.perSecond)}/s`);
  if (!databasePid) return { name, ...figures };
  const meter = costMeter({ onDatabase, cpuMs, databaseUrl, databasePid, serverPid: pid });
  const cost = await meter.measure(async () => {
    const all = { ...plan, connections: CONNECTIONS, customers: CUSTOMERS, seconds: SECONDS };
    return (await loadOnce(all)).sent;
  });
  for (const [table, rows] of Object.entries(cost.rowsByTable))
    log(`  ${table}: ${rows.toFixed(2)} rows each`);
  return { name, ...figures, cost };
}

/** Processor time of a signature alone (us), which no signed answer can cost less than. */
function signatureMicros() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const answer = randomBytes(2_000);
  const rounds = 20_000;
  let before = null;
  for (let round = -rounds / 10; round < rounds; round++) {
    if (round === 0) before = process.cpuUsage();
    sign(null, answer, privateKey);
  }
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / rounds);
}

async function sdkRows(pid, url, database, sdkHeaders, etag) {
  const headers = { ...sdkHeaders, 'content-type': 'application/json' };
  const hot = { url, headers, databaseUrl: database.url, databasePid: database.pid, signing };
  return [
    await measure('GET customer info', pid, { ...hot, kind: 'customer_info' }),
    await measure('GET customer info, 304', pid, {
      ...hot,
      kind: 'same_customer_info',
      headers: { ...hot.headers, 'x-revenuecat-etag': etag },
    }),
    await measure('GET offerings', pid, { ...hot, kind: 'offerings' }),
    await measure('POST receipts', pid, { ...hot, kind: 'receipts', productId: 'pro_monthly' }),
    await measure('POST receipts, new customer', pid, {
      ...hot,
      kind: 'first_receipts',
      productId: 'pro_monthly',
    }),
  ];
}

/** The same answer by a public key and by an access token, one right after the other; and logins. */
async function signInRows(pid, url, databaseUrl, world) {
  const headers = { ...world.sdkHeaders, 'content-type': 'application/json' };
  const signIn = await arrangeSignIn(url, world, SIGNED_IN);
  const plan = { url, headers, databaseUrl, tokens: signIn.file };
  try {
    const byKey = await measure('GET customer info, by key', pid, { ...plan, kind: 'customer_info' });
    const byToken = await measure('GET customer info, by access token', pid, {
      ...plan,
      kind: 'own_customer_info',
    });
    log(`by access token: ${(byToken.perSecond / byKey.perSecond).toFixed(2)} x by public key`);
    return [byKey, byToken, await measure('POST login, known key set', pid, { ...plan, kind: 'logins' })];
  } finally {
    signIn.stop();
  }
}

/** Customer info at a steady rate, alone and while people sign in with their passwords. */
async function passwordRows(pid, url, databaseUrl, { sdkHeaders, account }) {
  const plan = { url, headers: sdkHeaders, databaseUrl, kind: 'customer_info', rate: BESIDE.requests };
  const name = `GET customer info at ${BESIDE.requests}/s`;
  const alone = await measure(name, pid, plan);
  const signIns = startPasswordSignIns(url, account, BESIDE.signIns);
  const beside = await measure(`${name} beside ${BESIDE.signIns} sign-ins/s`, pid, plan);
  const { signedIn, failed } = await signIns.stop();
  log(`99th percentile beside sign-ins: ${(beside.p99 / alone.p99).toFixed(2)} x alone`);
  log(`${signedIn} sign-ins, ${failed} failed`);
  return [alone, beside];
}

/** A tool that reads, in both protocols, and the call of REST that it makes. */
async function toolRows(pid, url, databaseUrl, { path, backendHeaders }) {
  const plan = { url, databaseUrl };
  const rest = await measure('GET products (v2)', pid, {
    ...plan,
    kind: 'fixed',
    headers: backendHeaders,
    path: `${path}/products`,
  });
  const headers = {
    ...backendHeaders,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const params = { name: 'list_products', arguments: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const post = { ...plan, kind: 'fixed_post', path: '/mcp' };
  const older = await measure('list_products by /mcp, 2025', pid, {
    ...post,
    headers,
    body: JSON.stringify(call),
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const newer = await measure('list_products by /mcp, 2026', pid, {
    ...post,
    headers: {
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ ...call, params: { ...params, _meta: meta } }),
  });
  const tools = await measure('tools/list by /mcp', pid, {
    ...post,
    headers,
    body: JSON.stringify({ ...call, method: 'tools/list', params: {} }),
  });
  for (const row of [older, newer]) {
    log(
      `${row.name}: ${((row.cpuMicros - rest.cpuMicros) / 1000).toFixed(2)} ms of processor time above REST`,
    );
  }
  return [rest, older, newer, tools];
}

/** A page of 100 at the start of a long list, and one at its end. */
async function listRows(pid, url, databaseUrl, { projectId, appId, backendHeaders }) {
  log(`loading ${LIST_ROWS} products`);
  const cursor = await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO products (project_id, id, app_id, store_identifier, type, created_at)
       SELECT $1, 'prod' || lpad(n::text, 10, '0'), $2, 'sku_' || n, 'consumable',
         now() + n * interval '1 millisecond'
       FROM generate_series(1, $3::int) n`,
      [projectId, appId, LIST_ROWS],
    );
    return `prod${String(LIST_ROWS - 100).padStart(10, '0')}`;
  });
  const path = `/v2/projects/${projectId}/products?limit=100`;
  const plan = { url, kind: 'fixed', headers: backendHeaders, databaseUrl };
  const first = await measure('GET products, first 100', pid, { ...plan, path });
  const name = `GET products, 100 behind ${LIST_ROWS - 100} others`;
  const deep = await measure(name, pid, { ...plan, path: `${path}&starting_after=${cursor}` });
  log(`the deep page is ${(deep.perSecond / first.perSecond).toFixed(2)} x the first one`);
  return [first, deep];
}

async function main() {
  const built = spawnSync(process.execPath, [pathOf('../scripts/build.mjs')], {
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('the build failed');
  const database = await startDatabase();
  const receiver = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${SERVER_PORT}`;
  const startedAt = performance.now();
  const server = startServer(nodeOn, {
    database,
    port: SERVER_PORT,
    core: WORKERS === 1 ? 0 : null,
    env: {
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      // Logins are limited by address.
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_RATE_LIMIT_MCP: '0',
      SERVICE_SDK_EVENT_LIMIT: '10000000',
      ...(signing && { SERVICE_SIGNING_KEY: Buffer.alloc(32, 9).toString('base64') }),
      SERVICE_WORKERS: String(WORKERS),
    },
  });
  let reference;
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const readyMs = Math.round(performance.now() - startedAt);
    const idleMb = rssMb(server.pid);
    log(`ready after ${readyMs} ms (empty database), ${idleMb} MB; loading ${CUSTOMERS} customers`);
    const world = await buildWorld(url, CUSTOMERS, `http://127.0.0.1:${receiver.address().port}/`);
    const { sdkHeaders } = world;
    await vacuumAnalyze(database.url);
    const answer = await fetch(`${url}/v1/subscribers/customer-1`, { headers: sdkHeaders });
    const body = await answer.text();
    const etag = answer.headers.get('x-revenuecat-etag');
    reference = nodeOn(0, [pathOf('reference-server.mjs')], {
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
    const rows = [];
    rows.push(await measure('reference: bare node:http', reference.pid, { ...bare, path: '/bare' }));
    rows.push(await measure('reference: one indexed read', reference.pid, { ...bare, path: '/read' }));
    if (wants('sdk')) rows.push(...(await sdkRows(server.pid, url, database, sdkHeaders, etag)));
    if (wants('sign-in')) rows.push(...(await signInRows(server.pid, url, database.url, world)));
    if (wants('passwords')) rows.push(...(await passwordRows(server.pid, url, database.url, world)));
    if (wants('paywalls')) {
      const plan = { pid: server.pid, url, databaseUrl: database.url, world, etag };
      rows.push(...(await paywallRows({ measure, loadOnce, log }, plan)));
    }
    if (wants('v2')) {
      const { backendHeaders: headers, productPath: path } = world;
      const plan = { url, kind: 'fixed', headers, path, databaseUrl: database.url };
      rows.push(await measure('GET product (v2)', server.pid, plan));
    }
    if (wants('mcp')) rows.push(...(await toolRows(server.pid, url, database.url, world)));
    if (wants('lists')) rows.push(...(await listRows(server.pid, url, database.url, world)));
    rows.push(await measure('reference: one indexed read, again', reference.pid, { ...bare, path: '/read' }));
    report(rows, { readyMs, idleMb, loadedMb: rssMb(server.pid) });
  } finally {
    server.kill('SIGTERM');
    reference?.kill('SIGKILL');
    await once(server, 'close');
    receiver.close();
    await database.stop();
  }
}

function report(rows, process_) {
  const oneRead = median(
    rows.filter(({ name }) => name.includes('one indexed read')).map(({ perSecond }) => perSecond),
  );
  const bare = rows[0].perSecond;
  const table = rows.map(({ name, perSecond, p50, p99, failed, cpuMicros, cost }) => ({
    path: name,
    'req/s': Math.round(perSecond),
    'p50 ms': p50,
    'p99 ms': p99,
    'cpu us/req': cpuMicros === null ? null : Math.round(cpuMicros),
    ...costColumns(cost),
    'x one read': Number((perSecond / oneRead).toFixed(2)),
    'x bare': Number((perSecond / bare).toFixed(2)),
    failed,
  }));
  console.table(table);
  console.log(
    `Node ${process.version}, ${WORKERS} process(es): idle ${process_.idleMb} MB, after the load ${process_.loadedMb} MB, ready after ${process_.readyMs} ms`,
  );
  if (signing) console.log(`one Ed25519 signature alone: ${signatureMicros()} us`);
  const results = pathOf('results/');
  mkdirSync(results, { recursive: true });
  const file = join(results, `${new Date().toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ node: process.version, pinned, customers: CUSTOMERS, workers: WORKERS, signing, rows: table, ...process_ }, null, 2)}\n`,
  );
  console.log(`written to ${file}`);
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

if (only === 'webhooks') {
  await buildOrExit();
  const { benchWebhooks } = await import('./webhooks.mjs');
  await benchWebhooks({ nodeOn, until, log, quick, backlog: Number(backlog) });
} else if (only === 'destinations') {
  await buildOrExit();
  const { benchDestinations } = await import('./destinations.mjs');
  const pairs = numberOf('pairs', quick ? 5 : 20, 1);
  await benchDestinations({ nodeOn, until, cpuMs, log, loadOnce }, { pairs, customers: 1_000 });
} else if (only === 'due') {
  await buildOrExit();
  const { benchDue } = await import('./due.mjs');
  const [apart, uncancelled] = ['--apart', '--uncancelled'].map((name) => process.argv.includes(name));
  await benchDue({
    nodeOn,
    until,
    cpuMs,
    log,
    rows: numberOf('rows', quick ? 20_000 : 1_000_000),
    parts: numberOf('parts', 1, 1),
    apart,
    uncancelled,
  });
} else if (only === 'store-rules') {
  await buildOrExit();
  const { benchStoreRules } = await import('./store-rules.mjs');
  const subscriptions = numberOf('rows', quick ? 20_000 : 1_000_000);
  await benchStoreRules({ nodeOn, until, cpuMs, log, quick, onDatabase, subscriptions });
} else if (only === 'tracing') {
  await buildOrExit();
  const { benchTracing } = await import('./tracing.mjs');
  const pairs = numberOf('pairs', quick ? 5 : 20, 1);
  await benchTracing({ nodeOn, until, cpuMs, log, loadOnce }, { pairs, customers: 1_000 });
} else if (only === 'enterprise') {
  await buildOrExit();
  const { benchPairs } = await import('./pairs.mjs');
  await benchPairs(
    { nodeOn, until, cpuMs, log, loadOnce },
    {
      what: 'the enterprise edition',
      env: { SERVICE_EE_DEV: 'true' },
      plans: {
        'GET customer info': { kind: 'customer_info' },
        'GET offerings': { kind: 'offerings' },
        'POST receipts': { kind: 'receipts', productId: 'pro_monthly' },
      },
      pairs: numberOf('pairs', quick ? 5 : 20, 1),
      customers: 1_000,
    },
  );
} else if (only === 'targeting' && process.argv.includes('--measures')) {
  await buildOrExit();
  const { benchTargeting } = await import('./targeting-measures.mjs');
  const enrollments = numberOf('enrollments', quick ? 10_000 : 100_000, 1_000);
  const customers = numberOf('customers', quick ? 200 : 10_000, 10);
  await benchTargeting({
    nodeOn,
    until,
    cpuMs,
    rssMb,
    log,
    loadOnce,
    onDatabase,
    quick,
    customers,
    enrollments,
  });
} else if (only === 'targeting') {
  await buildOrExit();
  const [{ benchPairs }, { targetingOf }] = await Promise.all([
    import('./pairs.mjs'),
    import('./targeting.mjs'),
  ]);
  await benchPairs(
    { nodeOn, until, cpuMs, log, loadOnce },
    {
      what: 'ten rules and two experiments',
      prepare: targetingOf,
      plans: { 'GET offerings': { kind: 'offerings' } },
      pairs: numberOf('pairs', quick ? 5 : 20, 1),
      customers: 1_000,
    },
  );
} else if (only === 'import') {
  await buildOrExit();
  const { benchImport } = await import('./import.mjs');
  await benchImport({ nodeOn, until, cpuMs, rssMb, log, calls: numberOf('calls', quick ? 50 : 1_000, 2) });
} else if (only === 'datasets') {
  await buildOrExit();
  const { benchDatasets } = await import('./datasets.mjs');
  await benchDatasets(
    { nodeOn, until, rssMb, log, loadOnce },
    {
      rows: numberOf('rows', quick ? 20_000 : 2_000_000, 20_000),
      pairs: numberOf('pairs', quick ? 2 : 10, 1),
      isSlow: !quick,
    },
  );
} else if (only === 'exports') {
  await buildOrExit();
  const { benchExports } = await import('./exports.mjs');
  const rows = numberOf('rows', 200_000, 1_000);
  await benchExports({ nodeOn, until, rssMb, log, rows, runs: RUNS });
} else if (only === 'scim') {
  await buildOrExit();
  const { benchScim } = await import('./scim.mjs');
  await benchScim({ nodeOn, until, log, quick });
} else if (only === 'charts') {
  await buildOrExit();
  const { benchCharts } = await import('./charts.mjs');
  const count = numberOf('customers', quick ? 10_000 : 1_000_000, 10);
  const pairs = numberOf('pairs', quick ? 3 : 20, 1);
  const [, times = ''] = process.argv.join(' ').match(/--copies[ =]([\d,]+)/) ?? [];
  const copies = times.split(',').filter(Boolean).map(Number);
  await benchCharts({ nodeOn, until, cpuMs, loadOnce, log, count, runs: RUNS, pairs, copies });
} else if (only === 'report-rows') {
  await buildOrExit();
  const { benchReportRows } = await import('./report-rows.mjs');
  const count = numberOf('customers', quick ? 10_000 : 100_000, 10);
  const pairs = numberOf('pairs', quick ? 5 : 20, 1);
  await benchReportRows({ nodeOn, until, cpuMs, loadOnce, log, count, pairs });
} else if (only === 'stores') {
  await buildOrExit();
  const { benchStores } = await import('./stores.mjs');
  await benchStores({ nodeOn, until, cpuMs, log, quick });
} else if (only === 'refunds') {
  await buildOrExit();
  const { benchRefunds } = await import('./refunds.mjs');
  await benchRefunds({ nodeOn, until, cpuMs, rssMb, log, onDatabase, loadOnce, quick });
} else if (only === 'notifications') {
  await buildOrExit();
  const [, other = null] = process.argv.join(' ').match(/--against[ =](\S+)/) ?? [];
  if (other !== null) {
    const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: other, stdio: 'inherit' });
    if (built.status !== 0) throw new Error(`the build in ${other} failed`);
  }
  const { benchNotifications } = await import('./notifications.mjs');
  await benchNotifications(
    { nodeOn, until, cpuMs, onDatabase, log, quick },
    {
      folder: pathOf('..'),
      other,
      blocks: numberOf('pairs', quick ? 3 : 10, 1),
      ofBlock: numberOf('rows', quick ? 100 : 1_000, 1),
    },
  );
} else if (only === 'peak') {
  await buildOrExit();
  const { benchPeak } = await import('./peak.mjs');
  const rows = numberOf('rows', quick ? 2_000 : 20_000, 100);
  const trial = Math.ceil(rows / 10);
  await benchPeak({ nodeOn, until, cpuMs, onDatabase, log, loadOnce }, { folder: pathOf('..'), rows, trial });
} else if (only === 'dashboard') {
  await buildOrExit();
  const { benchDashboard } = await import('./dashboard.mjs');
  await benchDashboard({ nodeOn, until, log, quick });
} else {
  await main();
}
