import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, start, stop, tryOut } from './demo-server.mjs';

/**
 * Tries `npm start` as a new user would: the printed command buys on the demo, a restart keeps the purchase, so
 * does a `kill -9`, a signal ends server and database, and several processes serve like one.
 */
const folder = mkdtempSync(join(tmpdir(), 'tenure-smoke-'));
// As root the database runs as another user, who has to reach its data below this folder.
chmodSync(folder, 0o711);
async function customer({ output, url }) {
  const key = /Demo public key: (\S+)/.exec(output)[1];
  const response = await fetch(`${url}/v1/subscribers/demo-user`, {
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

const first = await start(folder);
check(true, `first start on an empty folder took ${first.ms} ms`);
await tryOut(first);
check(databaseAlive(), 'the database runs in the data folder');
check((await stop(first.child, 'SIGINT')) === 0, 'Ctrl-C ends the server with status 0');
check(!databaseAlive(), 'and the database with it');

const second = await start(folder);
check(true, `second start took ${second.ms} ms`);
check((await customer(second)).subscriber.entitlements.pro !== undefined, 'a restart keeps the purchase');
await stop(second.child, 'SIGKILL');
check(databaseAlive(), 'after kill -9 the database is an orphan');

const third = await start(folder);
check(true, `the start after kill -9 took ${third.ms} ms`);
check((await customer(third)).subscriber.entitlements.pro !== undefined, 'and the purchase is still there');
check((await stop(third.child, 'SIGTERM')) === 0, 'SIGTERM ends the server with status 0');
check(!databaseAlive(), 'and the database with it');

/** Waits until the condition holds. */
async function until(condition, what) {
  for (let tries = 0; tries < 300 && !(await condition().catch(() => false)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  check(await condition(), what);
}

const metric = async (name) => {
  const text = await (await fetch(`${several.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
const RESIDENT = 'process_resident_memory_bytes';
// A port that was free before: one picked by port 0 would be lost while all processes are down.
const { port: PORT } = new URL(third.url);
const several = await start(folder, { env: { PORT, SERVICE_WORKERS: '2', SERVICE_LOG_LEVEL: 'fatal' } });
check((await customer(several)).subscriber.entitlements.pro !== undefined, 'two processes serve as well');
await until(async () => (await metric(RESIDENT)) > 150e6, 'and report their metrics together');
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
  async () => (await customer(several)).subscriber !== undefined,
  'and the others answer meanwhile',
);
check((await stop(several.child, 'SIGTERM')) === 0, 'SIGTERM ends them all with status 0');
check(!databaseAlive(), 'and the database with them');
rmSync(folder, { recursive: true, force: true });
