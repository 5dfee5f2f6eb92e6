import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, onFreePort, output, pause, start, untilOrEnded } from './programs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const environment = (databaseUrl) => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
  SERVICE_ALLOW_SIGNUP: 'true',
  SERVICE_DEMO: 'false',
  SERVICE_LOG_LEVEL: 'fatal',
});

/** The built server in a process of its own, once it is ready. `home`: of another version of it. */
export function startServer(databaseUrl, options = {}) {
  return onFreePort('the server', (port) => launchServer(port, databaseUrl, options));
}

async function launchServer(port, databaseUrl, { home = root, env = {} }) {
  const url = `http://127.0.0.1:${port}`;
  const child = start(process.execPath, [join(home, 'dist/src/main.js')], {
    cwd: home,
    env: { ...environment(databaseUrl), ...env, PORT: String(port) },
  });
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
  if (!(await untilOrEnded(child, 'the server becomes ready', isReady))) return null;
  return { url, stop: () => end(child) };
}

/** Output of a command of `tenure`. */
export function tenure(databaseUrl, args) {
  const program = join(root, 'dist/src/cli/tenure.js');
  return output(process.execPath, [program, ...args], { env: environment(databaseUrl) });
}

/**
 * Customers who buy without a pause until they are stopped, `parallel` at once. `send(body)` gives the status
 * of one attempt, or throws; what is not acknowledged is sent again, unchanged, as phones do.
 */
export function startBuyers(parallel, prefix, send) {
  const acknowledged = [];
  const refused = [];
  const attempts = { total: 0, again: 0 };
  const statuses = {};
  let stopped = false;
  let next = 0;
  const buyer = async () => {
    while (!stopped) {
      const number = next++;
      const customer = `${prefix}-${number}`;
      const body = {
        app_user_id: customer,
        fetch_token: `test_${Date.now()}_${prefix}-${number}`,
        product_id: 'pro_monthly',
        currency: 'USD',
      };
      for (;;) {
        attempts.total++;
        const sentAt = Date.now();
        const status = await send(body).catch(() => 0);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 200) {
          acknowledged.push({ customer, sentAt, at: Date.now() });
          break;
        }
        if (status >= 400 && status !== 503) refused.push({ customer, status });
        if (stopped || (status >= 400 && status < 500)) break;
        attempts.again++;
        await pause(100);
      }
    }
  };
  const all = Promise.all(Array.from({ length: parallel }, buyer));
  return {
    acknowledged,
    refused,
    attempts,
    statuses,
    async stop() {
      stopped = true;
      await all;
    },
  };
}

/** Status of one receipt to a server; the answer is read to its end. */
export async function sendReceipt(url, headers, body) {
  const response = await fetch(`${url}/v1/receipts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}
