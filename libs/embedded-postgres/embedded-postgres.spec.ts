import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  compileEmbedded,
  killHard,
  messageOf,
  runBesides,
} from '../../test/support/database/owner-process.js';
import { type EmbeddedPostgres, endAbandonedPostgres, startEmbeddedPostgres } from './index.js';
import { postmasterIn } from './postmaster.js';
import { identityOf } from './process-identity.js';
import { databaseUser } from './system-user.js';

const OWNER = `
  import { startEmbeddedPostgres } from './embedded/index.js';
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2], durability: 'full' });
  process.send(server.url);
`;

let base: string;
let owners: ChildProcess[] = [];
let servers: EmbeddedPostgres[] = [];

function newDataDir(): string {
  const folder = mkdtempSync(join(base, 'data-'));
  // Under root, the database runs as another user, who must reach its data below this folder.
  chmodSync(folder, 0o711);
  return join(folder, 'postgres');
}

async function start(
  dataDir: string,
  options: { port?: number; settings?: string[] } = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durability: 'full', ...options });
  servers.push(server);
  return server;
}

/** Starts the database from another node process. */
async function startOwner(dataDir: string): Promise<{ owner: ChildProcess; url: string }> {
  const owner = runBesides(base, OWNER, [dataDir]);
  owners.push(owner);
  return { owner, url: String(await messageOf(owner)) };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

function serverPid(dataDir: string): number {
  return postmasterIn(dataDir)?.pid ?? 0;
}

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'embedded-spec-'));
  chmodSync(base, 0o711);
  compileEmbedded(base);
});

afterEach(async () => {
  await Promise.all([...servers.map((server) => server.stop()), ...owners.map(killHard)]);
  servers = [];
  owners = [];
});

afterAll(async () => {
  for (const name of readdirSync(base).filter((entry) => entry.startsWith('data-'))) {
    await endAbandonedPostgres(join(base, name, 'postgres'));
  }
  rmSync(base, { recursive: true, force: true });
});

it('initialises an empty folder, keeps its rows over a restart and leaves no process behind', async () => {
  const dataDir = newDataDir();
  const first = await start(dataDir);
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
  const pid = serverPid(dataDir);
  expect(identityOf(pid)).not.toBeNull();
  await first.stop();
  expect(identityOf(pid)).toBeNull();
  expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);

  const second = await start(dataDir);
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([7]);
});

it('listens on the loopback address only, for who has the password, which only its owner can read', async () => {
  const dataDir = newDataDir();
  const { url } = await start(dataDir);
  expect(await query(url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
  expect(await query(url, 'SHOW unix_socket_directories')).toEqual(['']);
  expect(await query(url, 'SHOW fsync')).toEqual(['on']);
  const guessed = new URL(url);
  guessed.password = 'guess';
  await expect(query(guessed.toString(), 'SELECT 1')).rejects.toThrow('password authentication failed');
  expect(statSync(join(dataDir, 'tenure.password')).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

it.each([
  ['its owner is killed', false],
  ['its owner and the server are killed', true],
])('keeps every acknowledged row when %s, and is found by another name', async (_, killServer) => {
  const dataDir = newDataDir();
  const { owner, url } = await startOwner(dataDir);
  await query(url, 'CREATE TABLE kept (n int)');
  await query(url, 'INSERT INTO kept SELECT generate_series(1, 500)');
  const pid = serverPid(dataDir);
  await killHard(owner);
  expect(identityOf(pid)).not.toBeNull();
  if (killServer) process.kill(pid, 'SIGKILL');

  symlinkSync(dataDir, `${dataDir}-link`);
  const next = await start(`${dataDir}-link`);
  expect(await query(next.url, 'SELECT count(*)::int FROM kept')).toEqual([500]);
  expect(serverPid(dataDir)).not.toBe(pid);
  expect(identityOf(pid)).toBeNull();
});

/** Retries until the server at the URL responds. */
async function untilAnswered(url: string): Promise<unknown[]> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<object>('SELECT 1 AS one')).rows;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

it('starts PostgreSQL again when it is killed, at the same address, and stops it on request', async () => {
  const dataDir = newDataDir();
  const lost: Error[] = [];
  const server = await startEmbeddedPostgres({
    dataDir,
    durability: 'full',
    onLost: (error) => lost.push(error),
  });
  servers.push(server);
  for (let kill = 0; kill < 2; kill++) {
    const { pid } = postmasterIn(dataDir) ?? { pid: 0 };
    process.kill(pid, 'SIGKILL');
    expect(await untilAnswered(server.url)).toEqual([{ one: 1 }]);
    expect(postmasterIn(dataDir)?.pid).not.toBe(pid);
  }
  const { pid } = postmasterIn(dataDir) ?? { pid: 0 };
  await server.stop();
  expect(identityOf(pid)).toBeNull();
  expect(lost).toEqual([]);
});

it('says so when PostgreSQL was killed and does not start again', async () => {
  const dataDir = newDataDir();
  const lost = new Promise<Error>((resolve) => {
    void startEmbeddedPostgres({ dataDir, durability: 'full', onLost: resolve }).then((server) => {
      servers.push(server);
      rmSync(join(dataDir, 'global'), { recursive: true });
      process.kill(postmasterIn(dataDir)?.pid ?? 0, 'SIGKILL');
    });
  });
  expect((await lost).message).toContain('The embedded PostgreSQL did not start');
});

it('runs PostgreSQL with the settings it is given, and with its own where it is given none', async () => {
  const server = await start(newDataDir(), { settings: ['shared_buffers=16MB'] });
  expect(await query(server.url, 'SHOW shared_buffers')).toEqual(['16MB']);
  expect(await query(server.url, 'SHOW max_connections')).toEqual(['200']);
});

it('refuses the folder of a living process, which continues undisturbed', async () => {
  const dataDir = newDataDir();
  const { owner, url } = await startOwner(dataDir);
  await expect(start(dataDir)).rejects.toThrow(
    `Another Tenure process uses this folder: process ${owner.pid}`,
  );
  expect(await query(url, 'SELECT 1 AS n')).toEqual([1]);
});

it('does not take a process for the server because it now has the number of a former one', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  // Runs as the database's user, because PostgreSQL itself would mistake such a process for the server.
  const bystander = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...databaseUser(dataDir) });
  await once(bystander, 'spawn');
  try {
    writeFileSync(
      join(dataDir, 'postmaster.pid'),
      `${bystander.pid}\n${dataDir}\n1700000000\n5432\n\n\n\nready\n`,
    );
    const next = await start(dataDir);
    expect(await query(next.url, 'SELECT 1 AS n')).toEqual([1]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  } finally {
    await killHard(bystander);
  }
});

it('says why it does not start on a port that is taken, and gives the folder back', async () => {
  const dataDir = newDataDir();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  try {
    const { port } = taken.address() as AddressInfo;
    await expect(start(dataDir, { port })).rejects.toThrow(/did not start.*could not (bind|create)/s);
  } finally {
    taken.close();
  }
  expect((await start(dataDir)).port).toBeGreaterThan(0);
});

it('refuses a folder with other files and leaves them alone', async () => {
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'thesis.txt'), 'five years');
  await expect(start(dataDir)).rejects.toThrow('holds files, but no database');
  expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
});
