import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isReachableByOthers, type PostgresBinaries, postgresBinaries } from './binaries.js';
import { isAlive, lockFolder } from './folder-lock.js';
import { type RunAs, runAs } from './run-as.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the data; made on the first start. */
  dataDir: string;
  /** `full`: what was acknowledged survives a crash. `test`: fast, and nothing survives. */
  durability: 'full' | 'test';
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  url: string;
  port: number;
  /** Ends the server cleanly. */
  stop(): Promise<void>;
}

const USER = 'tenure';
const POLL_MS = 15;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/** The programs need nothing from this process, least of all its secrets. */
const childEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const common = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'jit=off'];
const settings: Record<EmbeddedPostgresOptions['durability'], string[]> = {
  full: [
    ...common,
    'shared_buffers=128MB',
    'wal_compression=on',
    'max_wal_size=1GB',
    'checkpoint_timeout=10min',
  ],
  test: [...common, 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=128MB'],
};

/** Where the data go: another place when root's folder cannot be reached by the database's user. */
function placeOf(dataDir: string, asUser: RunAs | null, log: (line: string) => void): string {
  const wanted = resolve(dataDir);
  mkdirSync(dirname(wanted), { recursive: true });
  if (!asUser || isReachableByOthers(dirname(wanted))) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const place = join('/var/lib/tenure', name, 'postgres');
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  log(`${wanted} cannot be reached by the database's user; the data are in ${place}`);
  return place;
}

function own(path: string, user: RunAs | null): void {
  if (user) chownSync(path, user.uid, user.gid);
}

function passwordOf(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Makes the cluster under another name first, so that a crash half-way leaves nothing that looks like one. */
function initialise(
  place: string,
  password: string,
  binaries: PostgresBinaries,
  user: RunAs | null,
  sync: boolean,
): void {
  const fresh = `${place}.new`;
  const passwordFile = `${place}.initial-password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  own(fresh, user);
  own(passwordFile, user);
  const args = [
    '-D',
    fresh,
    '-U',
    USER,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  const result = spawnSync(binaries.initdb, sync ? args : [...args, '--no-sync'], {
    ...user,
    cwd: '/',
    env: childEnvironment,
    encoding: 'utf8',
  });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`);
  }
  renameSync(fresh, place);
}

/** Process number of a server that still runs on the folder, left by a killed owner; null when there is none. */
function orphan(place: string): number | null {
  const file = join(place, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  try {
    // The number may belong to somebody else by now.
    return readlinkSync(`/proc/${pid}/cwd`) === place ? pid : null;
  } catch {
    return existsSync('/proc') ? null : pid;
  }
}

async function endOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isAlive(pid); waited += POLL_MS) {
    if (waited > STOP_TIMEOUT_MS) process.kill(pid, 'SIGQUIT');
    await sleep(POLL_MS);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function launch(
  place: string,
  port: number,
  binaries: PostgresBinaries,
  user: RunAs | null,
  conf: string[],
): ChildProcess {
  const logFile = `${place}.log`;
  if (existsSync(logFile)) truncateSync(logFile);
  const output = openSync(logFile, 'a', 0o600);
  const child = spawn(
    binaries.postgres,
    ['-D', place, '-p', String(port), ...conf.flatMap((line) => ['-c', line])],
    {
      ...user,
      cwd: '/',
      // A group of its own: Ctrl-C in the terminal must reach this process first, which then ends the server.
      detached: true,
      stdio: ['ignore', output, output],
      env: childEnvironment,
    },
  );
  closeSync(output);
  return child;
}

async function untilReady(child: ChildProcess, url: string, place: string): Promise<void> {
  let failure: Error | null = null;
  child.once('error', (error) => (failure = error));
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += POLL_MS) {
    if (failure !== null || child.exitCode !== null) {
      const lines = existsSync(`${place}.log`)
        ? readFileSync(`${place}.log`, 'utf8').trim().split('\n').slice(-5)
        : [];
      throw new Error(`The embedded PostgreSQL did not start: ${lines.join(' | ')}`, {
        cause: failure ?? undefined,
      });
    }
    if (await answers(url)) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error('The embedded PostgreSQL did not become ready.');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(force);
}

/**
 * Runs the PostgreSQL that npm installed on a folder of this process: initialised on the first start, taken
 * over from a killed owner, listening on the loopback address only.
 * @throws Error when another living process uses the folder, or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const user = runAs(resolve(options.dataDir));
  const place = placeOf(options.dataDir, user, log);
  const unlock = lockFolder(`${place}.lock`);
  try {
    const password = passwordOf(`${place}.password`);
    const binaries = postgresBinaries(user !== null, dirname(place));
    const orphanPid = orphan(place);
    if (orphanPid !== null) {
      log(`ending PostgreSQL ${orphanPid}, left by a process that was killed`);
      await endOrphan(orphanPid);
    }
    if (!existsSync(join(place, 'PG_VERSION'))) {
      initialise(place, password, binaries, user, options.durability === 'full');
    }
    chmodSync(place, 0o700);
    const port = await freePort();
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    const child = launch(place, port, binaries, user, settings[options.durability]);
    await untilReady(child, url, place);
    return {
      url,
      port,
      stop: async () => {
        await end(child);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
