import { RefundAnswersJob } from '../../src/stores/refund-requests/refund-answers.job.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const HOUR_MS = 3_600_000;

describe('refund requests in two replicas', () => {
  let world: AppStoreWorld;
  let replica: TestServer;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
    const { env, clock, server } = world;
    replica = await startTestServer({ env, clock, databaseUrl: server.databaseUrl });
    await world.configure({
      ...world.keyFields,
      refund_data_consent: 'all_customers',
      refund_request_handling: 'policies',
    });
    const policy = { display_name: 'Hold', preference: 'decline', hold_minutes: 60 };
    await world.backend.post(`${world.path}/refund_policies`, policy);
  });
  beforeEach(() => {
    world.api.calls.length = 0;
  });
  afterAll(async () => {
    await replica.close();
    await world.close();
  });

  const both = (): TestServer[] => [world.server, replica];
  const asked = async () => {
    const subscription = world.store.subscribe(world.store.account(), fakeProducts.monthly);
    await world.post(`asking-${++count}`, subscription.signed());
    world.clock.advanceMs(1);
    return subscription.askConsumption();
  };
  const list = async (): Promise<Json[]> =>
    (await world.backend.get(`${world.path}/refund_requests?limit=100`)).body.items;
  const answered = (): string[] =>
    world.api.calls.map(({ path }) => path).filter((path) => path.includes('/consumption/'));

  it('records one request for a notification that both receive', async () => {
    const { body } = await asked();
    const headers = { 'content-type': 'application/json' };
    const path = `/v1/notifications/apple/${world.appId}`;
    const answers = await Promise.all(both().map(({ http }) => http.send('POST', path, body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(both().map(({ app }) => app.get(NotificationWorkerJob).drain()));
    expect(await list()).toHaveLength(1);
  });

  it('sends each answer once', async () => {
    const before = (await list()).length;
    for (let n = 0; n < 12; n++) await world.notify(await asked());
    world.clock.advanceMs(HOUR_MS);
    await Promise.all(both().map(({ app }) => app.get(RefundAnswersJob).drain()));
    const requests = await list();
    expect(requests).toHaveLength(before + 12);
    expect(requests.every((one) => one.answer_status === 'sent' && one.attempts === 1)).toBe(true);
    expect(new Set(answered()).size).toBe(before + 12);
    expect(answered()).toHaveLength(before + 12);
  });
});
