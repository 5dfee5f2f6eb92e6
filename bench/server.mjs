import { fileURLToPath } from 'node:url';

/** What Node is to run, as in the image. */
export const serverArgs = [
  '--v8-pool-size=1',
  fileURLToPath(new URL('../dist/src/main.js', import.meta.url)),
];

/** Starts a server that asks a fake App Store. `env`: further variables. */
export function startStoreServer(nodeOn, { database, apple, port, env = {} }) {
  return nodeOn(0, serverArgs, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_TEST_STORES: 'true',
      SERVICE_TEST_APPLE_ROOTS: apple.roots,
      SERVICE_APPLE_API_URL: apple.api.urls.Production,
      SERVICE_APPLE_SANDBOX_API_URL: apple.api.urls.Sandbox,
      PORT: String(port),
      ...env,
    },
  });
}
