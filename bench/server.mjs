import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Node is to run for the build in a folder, as in the image. */
export const serverArgsIn = (folder) => [
  '--v8-pool-size=1',
  '--max-semi-space-size=8',
  join(folder, 'dist/src/main.js'),
];

export const serverArgs = serverArgsIn(fileURLToPath(new URL('..', import.meta.url)));

/** Starts a server on `core`, or on any. `env`: further variables; `args`: of another build. */
export function startServer(nodeOn, { database, port, core = null, env = {}, args = serverArgs }) {
  return nodeOn(core, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'warn',
      PORT: String(port),
      ...env,
    },
  });
}

/** Starts a server that asks a fake App Store. */
export function startStoreServer(nodeOn, { apple, env, ...options }) {
  return startServer(nodeOn, {
    ...options,
    core: 0,
    env: {
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TEST_STORES: 'true',
      SERVICE_TEST_APPLE_ROOTS: apple.roots,
      SERVICE_APPLE_API_URL: apple.api.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.api.urls.Sandbox,
      ...env,
    },
  });
}
