import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pruneModules } from '../../scripts/prune-modules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = fileURLToPath(new URL('../../docker/Dockerfile', import.meta.url));

/** An instruction of the Dockerfile that holds a command: the last one of its kind. */
export function instruction(name) {
  const text = readFileSync(dockerfile, 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const found = [...text.matchAll(new RegExp(`^${name}(?: .*CMD)? (\\[.*\\])$`, 'gm'))].at(-1);
  return JSON.parse(found[1]);
}

/** The folder /app of the image, made by the same steps as in the Dockerfile. */
function buildTree(folder) {
  for (const name of ['package.json', 'package-lock.json', 'dist']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(join(folder, 'package-lock.json'));
  pruneModules(join(folder, 'node_modules'));
  // Other users may read, and write nothing.
  execFileSync('chmod', ['-R', 'a+rX,go-w', folder]);
}

/** The image's files, run by a user who may write nowhere. */
export function runsAsFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-image-'));
  execFileSync('chmod', ['755', folder]);
  buildTree(folder);
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const start = ([program, ...args], env) => [
    program === 'node' ? process.execPath : program,
    args,
    { cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env }, ...unprivileged },
  ];
  return {
    what: 'what the image holds, as a user who may write nowhere,',
    server: (env) => start(instruction('CMD'), env),
    command: start,
    beside: start,
    stop: (server) => server.kill('SIGTERM'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const CONTAINER = `tenure-check-${process.pid}`;

const variables = (env) => Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** Docker or podman: a container on this machine's network, on a read-only file system, with the files of `shared`. */
function runsContainers({ image, engine, run, shared }) {
  const command = (env, ...more) => [
    engine,
    [
      [
        ...run,
        '--rm',
        '--no-healthcheck',
        '--read-only',
        '--network',
        'host',
        '--volume',
        `${shared}:${shared}:ro`,
      ],
      variables(env),
      more,
    ].flat(),
    {},
  ];
  return {
    what: `the image in ${engine}, on a read-only file system,`,
    server: (env) => command(env, '--name', CONTAINER, image),
    command: ([program, ...args], env) => command(env, '--entrypoint', program, image, ...args),
    /** In the container of the server, as the engine does it. */
    beside: (health) => [engine, ['exec', CONTAINER, ...health], {}],
    stop: (server) => server.kill('SIGTERM'),
    remove: () => spawnSync(engine, ['rm', '--force', CONTAINER], { stdio: 'ignore' }),
  };
}

/** The first Node.js process that `pid` led to. */
function nodeBelow(pid) {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ');
    for (const child of children.filter(Boolean)) {
      const isNode = /^([^\0]*\/)?node\0/.test(readFileSync(`/proc/${child}/cmdline`, 'utf8'));
      const found = isNode ? Number(child) : nodeBelow(child);
      if (found) return found;
    }
  }
  return null;
}

/** Buildah alone has no read-only file system, and its processes are not the first of their container. */
function runsInBuildah({ image, shared }) {
  const container = execFileSync('buildah', ['from', image], { encoding: 'utf8' }).trim();
  const command = (program, env) => [
    'buildah',
    ['run', '--volume', `${shared}:${shared}:ro`, ...variables(env), container, '--', ...program],
    {},
  ];
  return {
    what: 'the image in buildah, on a file system that could be written to,',
    server: (env) => command(instruction('CMD'), env),
    command,
    beside: command,
    /** Buildah kills what it runs when it is to end itself. */
    stop: (server) => process.kill(nodeBelow(server.pid), 'SIGTERM'),
    remove: () => spawnSync('buildah', ['rm', container], { stdio: 'ignore' }),
  };
}

/** The image itself. `run`: the engine's options up to those of `run`. */
export function runsInEngine(options) {
  return options.engine === 'buildah' ? runsInBuildah(options) : runsContainers(options);
}
