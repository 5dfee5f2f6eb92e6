import { once } from 'node:events';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, databaseSettings, type TestDatabase } from '../support/database/index.js';
import { freePort } from '../support/free-port.mjs';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

describe('webhooks to destinations that SERVICE_OUTBOUND_ALLOW lists, in production', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let server: ServerProcess;
  let store: TestStore;
  let list: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await startReceiver();
    const port = await freePort();
    const settings = databaseSettings(database.url);
    const url = new URL(settings.DATABASE_URL ?? '');
    server = await startServerProcess(url.href, {
      ...settings,
      NODE_ENV: 'production',
      PORT: String(port),
      SERVICE_PUBLIC_URL: `http://localhost:${port}`,
      SERVICE_ENCRYPTION_KEY: 'pTXmq9Oe2fW1Yp3eCkXo7rZbJ0uVhN5aLdQs8gKt4iM=',
      SERVICE_SIGNING_KEY: 'h1W4yB7eRk0pLx3vQn9sTz6mJc2fUa8dGi5oXbEqYtA=',
      SERVICE_DEMO: 'false',
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_METRICS_PORT: '0',
      SERVICE_OUTBOUND_ALLOW: '127.0.0.1,hooks.svc.cluster.local',
    });
    store = await createTestStore(server);
    list = `${store.path}/integrations/webhooks`;
  });

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await receiver.close();
    await database.drop();
  });

  it('arrives at a listed address, over plain http', async () => {
    const made = await store.backend.post(list, { name: 'listed', url: receiver.url });
    expect(made.status).toBe(201);
    const answer = await store.sdk.post('/v1/receipts', testReceipt('ada', Date.now()));
    expect(answer.status).toBe(200);
    const isOfAda = ({ body }: { body: string }): boolean => JSON.parse(body).event.app_user_id === 'ada';
    while (!receiver.requests.some(isOfAda)) await once(receiver.events, 'request');
  });

  it('saves them for a listed name, which need not resolve yet', async () => {
    const url = 'http://hooks.svc.cluster.local:8080/hook';
    expect((await store.backend.post(list, { name: 'by name', url })).status).toBe(201);
  });

  it.each([
    'http://127.0.0.2/hook',
    'http://[::1]/hook',
    'http://10.0.0.1/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://other.svc.cluster.local/hook',
    'http://x.hooks.svc.cluster.local/hook',
  ])('refuses them for %s, which is not listed', async (url) => {
    const refused = await store.backend.post(list, { name: 'other', url });
    expect([refused.status, refused.body.param]).toEqual([400, 'url']);
    const saved = await store.backend.get(list);
    expect(saved.body.items.map((item: { url: string }) => item.url)).not.toContain(url);
  });
});
