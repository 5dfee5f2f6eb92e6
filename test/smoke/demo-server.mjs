import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Time limit of a first start. */
const START_WITHIN_MS = 120_000;
const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

export function check(condition, what) {
  if (!condition) throw new Error(`smoke test: ${what}`);
  process.stdout.write(`ok: ${what}\n`);
}

/**
 * Starts a server with its database in `folder` on a free port, as a new user would; `args` are those of `node`.
 * `url` is where it says that it is.
 */
export async function start(folder, { env = {}, node = process.execPath, args = [START] } = {}) {
  const startedAt = performance.now();
  const child = spawn(node, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      SERVICE_DATA_DIR: folder,
      DATABASE_URL: '',
      SERVICE_LOG_LEVEL: 'warn',
      ...env,
    },
  });
  // A check that fails leaves nothing behind.
  process.once('exit', () => child.kill('SIGTERM'));
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server ended: ${output}`);
  });
  ended.catch(() => undefined);
  const msSince = () => Math.round(performance.now() - startedAt);
  const ready = (async () => {
    while (!/"test_.*_'\$RANDOM'"\}'\n/s.test(output)) {
      if (msSince() > START_WITHIN_MS) throw new Error(`the server did not start in time: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await Promise.race([ready, ended]);
  const url = / is ready at (\S+)/.exec(output)[1];
  return { child, output, url, ms: msSince() };
}

/** Runs what is printed after the blank line before `curl`, as a person would paste it. */
async function paste(output) {
  const command = output.slice(output.indexOf('curl -s'));
  const shell = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  shell.stdout.on('data', (data) => (text += data));
  await once(shell, 'close');
  return JSON.parse(text);
}

/** Buys with the printed command, and looks at what else a new user meets. */
export async function tryOut({ output, url }) {
  const bought = await paste(output);
  check(
    bought.subscriber.entitlements.pro.product_identifier === 'pro_monthly',
    'the printed command buys "pro"',
  );
  for (const path of ['/', '/readyz', '/docs', '/openapi.json']) {
    check((await fetch(`${url}${path}`)).ok, `GET ${path} answers`);
  }
  const dashboard = /^Dashboard: (\S+)$/m.exec(output)?.[1];
  const page = await (await fetch(dashboard, { headers: { accept: 'text/html' } })).text();
  const [, script] = /<script [^>]*src="([^"]+)"/.exec(page);
  const { status, headers } = await fetch(`${url}${script}`);
  check(
    status === 200 && headers.get('content-encoding') === 'gzip',
    'the dashboard is where the start says, its script compressed',
  );
}

/** Ends the server with a signal; gives its status. */
export async function stop(child, signal) {
  const exited = once(child, 'exit');
  child.kill(signal);
  return (await exited)[0];
}
