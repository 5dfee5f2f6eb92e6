import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build, buildOrExit } from './build.mjs';

/**
 * `npm run dev`: the server of `npm start`, built and started again after each change in src/ or libs/, the dashboard
 * included. While the sources do not compile, the server of the last build keeps running. Ctrl-C ends everything.
 */
const START = fileURLToPath(new URL('start.mjs', import.meta.url));
const SOURCES = ['src', 'libs', 'ormconfig.ts', 'docs/openapi.json'].map((name) =>
  fileURLToPath(new URL(`../${name}`, import.meta.url)),
);
/** Editors and git write several files in a row. */
const QUIET_MS = 100;

function say(text) {
  process.stdout.write(`dev: ${text}\n`);
}

function startServer() {
  const server = spawn(process.execPath, [START], { stdio: 'inherit' });
  const ended = once(server, 'exit');
  let isStopping = false;
  void ended.then(() => {
    if (!isStopping) say('the server ended; waiting for a change');
  });
  return async function stop() {
    isStopping = true;
    server.kill('SIGTERM');
    await ended;
  };
}

await buildOrExit();
// Loaded only now, because buildOrExit says so when the packages are not installed.
const { watch } = await import('chokidar');
let stopServer = startServer();

async function reload() {
  try {
    if (!(await build())) {
      say('nothing to build');
      return;
    }
  } catch (error) {
    say(error.message);
    return;
  }
  say('built; restarting');
  await stopServer();
  stopServer = startServer();
}

let timer;
let reloads = Promise.resolve();
const watcher = watch(SOURCES, { ignoreInitial: true }).on('all', () => {
  clearTimeout(timer);
  timer = setTimeout(() => (reloads = reloads.then(reload)), QUIET_MS);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    clearTimeout(timer);
    await Promise.all([watcher.close(), reloads]);
    await stopServer();
    process.exit(0);
  });
}
