import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pruneModules } from '../prune-modules.mjs';
import { instruction } from './dockerfile.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

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
