import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const log = (text) => process.stdout.write(`${text}\n`);

/** What follows `--name` on the command line, or `otherwise`. */
export function argument(name, otherwise) {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? otherwise : process.argv[place + 1];
}

/**
 * Waits until `condition` holds.
 * @throws Error naming `what` after `limitMs`
 */
export async function until(what, condition, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await pause(100);
  }
}

const DEBIAN = '/usr/lib/postgresql';

/** Folder of PostgreSQL's programs: `PG_BIN`, or the newest that Debian's packages have installed. */
export function postgresPrograms() {
  if (process.env.PG_BIN) return process.env.PG_BIN;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const newest = versions.find((version) => existsSync(join(DEBIAN, version, 'bin/initdb')));
  if (newest) return join(DEBIAN, newest, 'bin');
  log('This needs a PostgreSQL server with its programs: apt-get install postgresql, or set PG_BIN.');
  process.exit(1);
}

/** Ends the run with a message when a program is missing. `packages`: program to Debian package. */
export function requirePrograms(packages) {
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin'];
  const missing = Object.keys(packages).filter(
    (program) => !folders.some((folder) => existsSync(join(folder, program))),
  );
  if (missing.length === 0) return;
  log(`This needs ${missing.join(', ')}: apt-get install ${missing.map((name) => packages[name]).join(' ')}`);
  process.exit(1);
}

const systemUser = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** PostgreSQL does not run as root: then the system's own user for it does, as options of `spawn`. */
export function databaseUser() {
  return process.getuid?.() === 0 ? { uid: systemUser('-u'), gid: systemUser('-g') } : {};
}

/** A folder that the database's user may write in. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-operations-'));
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', folder]);
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

const children = new Set();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** A process of ours, which ends with this one at the latest. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export async function end(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Runs to its end and gives its output. @throws Error when it fails */
export async function output(command, args, options = {}) {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}`);
  return Buffer.concat(chunks).toString('utf8');
}

const PORT_ATTEMPTS = 5;

/**
 * Starts what listens on a port, on another one when it ended: a port that was free a moment ago can be another program's
 * by now. `launch(port)` gives null when it ended.
 */
export async function onFreePort(what, launch) {
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
    const started = await launch(await freePort());
    if (started) return started;
  }
  throw new Error(`${what} did not start in ${PORT_ATTEMPTS} attempts`);
}

/** Until `condition` holds, or a process ended; whether it still runs. */
export async function untilOrEnded(child, what, condition) {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(what, async () => hasEnded() || (await condition()));
  return !hasEnded();
}

/** A new PostgreSQL of the machine in `folder`, as careful as in production, with an empty database. */
export async function startPostgres(folder) {
  const programs = postgresPrograms();
  const user = databaseUser();
  const made = ['-U', 'tenure', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  await output(join(programs, 'initdb'), ['-D', folder, ...made], user);
  return onFreePort('PostgreSQL', (port) => launchPostgres(folder, port));
}

async function launchPostgres(folder, port) {
  const settings = [`port=${port}`, `unix_socket_directories=${folder}`, 'listen_addresses=127.0.0.1'];
  const options = [...settings, 'max_connections=200', 'log_min_messages=fatal'].flatMap((one) => [
    '-c',
    one,
  ]);
  const program = join(postgresPrograms(), 'postgres');
  const child = start(program, ['-D', folder, ...options], { ...databaseUser(), stdio: 'ignore' });
  const url = `postgres://tenure@127.0.0.1:${port}/postgres`;
  const answers = async () => {
    const client = new pg.Client({ connectionString: url });
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    return isThere;
  };
  if (!(await untilOrEnded(child, 'PostgreSQL answers', answers))) return null;
  return { url, stop: () => end(child, 'SIGINT') };
}
