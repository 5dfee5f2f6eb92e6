import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Tries `npm start` as a new user would: the printed command buys on the demo, a restart keeps the purchase, so
 * does a `kill -9`, a signal ends server and database, and several processes serve like one.
 */
const folder = mkdtempSync(join(tmpdir(), 'tenure-smoke-'));
// As root the database runs as another user, who has to reach its data below this folder.
chmodSync(folder, 0o711);
const PORT = '18799';

function check(condition, what) {
  if (!condition) throw new Error(`smoke test: ${what}`);
  process.stdout.write(`ok: ${what}\n`);
}

async function start(env = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('start.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT,
      SERVICE_DATA_DIR: folder,
      DATABASE_URL: '',
      SERVICE_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server ended: ${output}`);
  });
  ended.catch(() => undefined);
  const ready = (async () => {
    while (!/"test_.*_'\$RANDOM'"\}'\n/s.test(output))
      await new Promise((resolve) => setTimeout(resolve, 20));
  })();
  await Promise.race([ready, ended]);
  return { child, output, ms: Math.round(performance.now() - startedAt) };
}

/** Runs what is printed after the blank line before `curl`, as a person would paste it. */
async function paste(output) {
  const command = output.slice(output.indexOf('curl -s'));
  const shell = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  shell.stdout.on('data', (data) => (text += data));
  await once(shell, 'close');
  return JSON.parse(text);
}

async function customer(output) {
  const key = /Demo public key: (\S+)/.exec(output)[1];
  const response = await fetch(`http://localhost:${PORT}/v1/subscribers/demo-user`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.json();
}

function databaseAlive() {
  const file = join(folder, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function stop(child, signal) {
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}

const first = await start();
check(true, `first start on an empty folder took ${first.ms} ms`);
const bought = await paste(first.output);
check(
  bought.subscriber.entitlements.pro.product_identifier === 'pro_monthly',
  'the printed command buys "pro"',
);
for (const path of ['/', '/readyz', '/docs', '/openapi.json']) {
  check((await fetch(`http://localhost:${PORT}${path}`)).ok, `GET ${path} answers`);
}
check(databaseAlive(), 'the database runs in the data folder');
check((await stop(first.child, 'SIGINT')) === 0, 'Ctrl-C ends the server with status 0');
check(!databaseAlive(), 'and the database with it');

const second = await start();
check(true, `second start took ${second.ms} ms`);
check(
  (await customer(second.output)).subscriber.entitlements.pro !== undefined,
  'a restart keeps the purchase',
);
await stop(second.child, 'SIGKILL');
check(databaseAlive(), 'after kill -9 the database is an orphan');

const third = await start();
check(true, `the start after kill -9 took ${third.ms} ms`);
check(
  (await customer(third.output)).subscriber.entitlements.pro !== undefined,
  'and the purchase is still there',
);
check((await stop(third.child, 'SIGTERM')) === 0, 'SIGTERM ends the server with status 0');
check(!databaseAlive(), 'and the database with it');

/** Waits for what must come by itself. */
async function until(condition, what) {
  for (let tries = 0; tries < 300 && !(await condition().catch(() => false)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  check(await condition(), what);
}

const metric = async (name) => {
  const text = await (await fetch(`http://localhost:${PORT}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
const RESIDENT = 'process_resident_memory_bytes';
const several = await start({ SERVICE_WORKERS: '2', SERVICE_LOG_LEVEL: 'fatal' });
check(
  (await customer(several.output)).subscriber.entitlements.pro !== undefined,
  'two processes serve as well',
);
await until(async () => (await metric(RESIDENT)) > 150e6, 'and tell their metrics together');
const workers = () =>
  readFileSync(`/proc/${several.child.pid}/task/${several.child.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js'));
if (existsSync('/proc')) {
  const [doomed] = workers();
  process.kill(Number(doomed), 'SIGKILL');
  await until(
    () => Promise.resolve(!workers().includes(doomed) && workers().length === 2),
    'a killed one comes back',
  );
}
await until(
  async () => (await customer(several.output)).subscriber !== undefined,
  'and the others answer meanwhile',
);
check((await stop(several.child, 'SIGTERM')) === 0, 'SIGTERM ends them all with status 0');
check(!databaseAlive(), 'and the database with them');
rmSync(folder, { recursive: true, force: true });
