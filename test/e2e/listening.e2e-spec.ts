import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An app without an in-app purchase key: whether a subscription was renewed, only notifications tell. */
describe('the end of a subscription that no store announced', () => {
  let world: AppStoreWorld;
  const started: TestServer[] = [];

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(async () => {
    for (const server of started.toReversed()) await server.close();
    await world.close();
  });

  const startServer = async (): Promise<TestServer> => {
    const { clock } = world;
    const server = await startTestServer({ clock, databaseUrl: world.server.databaseUrl });
    started.push(server);
    return server;
  };
  const until = (ms: number): void => world.clock.advanceMs(ms - world.clock.nowMs());
  const work = (server: TestServer): Promise<void> => server.app.get(DueWorkJob).run();
  const buy = async (user: string): Promise<number> => {
    const life = world.store.subscribe(world.store.account('Production'), fakeProducts.monthly);
    expect((await world.post(user, life.signed())).status).toBe(200);
    return world.clock.nowMs() + 30 * DAY_MS;
  };
  const recorded = ['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'];

  it('appears an hour after the server listens again, and v1 and v2 agree that it was cancelled', async () => {
    const endMs = await buy('outage');
    until(endMs + 3 * DAY_MS);
    // No server has listened meanwhile.
    await world.server.dataSource.query('DELETE FROM notification_listeners');
    const server = await startServer();
    const listeningMs = world.clock.nowMs();
    await work(server);
    until(listeningMs + HOUR_MS - MINUTE_MS);
    await work(server);
    expect(await world.events('outage')).toEqual(['INITIAL_PURCHASE']);
    expect(await world.subscription('outage')).toMatchObject({ gives_access: false });
    until(listeningMs + HOUR_MS);
    await work(server);
    expect(await world.events('outage')).toEqual(recorded);
    const { status, auto_renewal_status: renewal } = await world.subscription('outage');
    expect([status, renewal]).toEqual(['expired', 'will_not_renew']);
    const info = await world.sdk.get('/v1/subscribers/outage');
    const [subscription] = Object.values<{ unsubscribe_detected_at: string }>(
      info.body.subscriber.subscriptions,
    );
    expect(Math.floor(endMs / 1000)).toBe(Date.parse(subscription?.unsubscribe_detected_at ?? '') / 1000);
  });

  it('appears an hour after the end if another process received notifications all the time', async () => {
    const endMs = await buy('rolling');
    until(endMs - MINUTE_MS);
    const [first] = started;
    const second = await startServer();
    until(endMs + MINUTE_MS);
    const third = await startServer();
    await first?.close();
    started.shift();
    until(endMs + HOUR_MS - MINUTE_MS);
    await work(third);
    expect(await world.events('rolling')).toEqual(['INITIAL_PURCHASE']);
    until(endMs + HOUR_MS);
    await work(second);
    expect(await world.events('rolling')).toEqual(recorded);
  });
});
