import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { CustomerCountsJob } from '../../src/insights/metrics/customer-counts.job.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { ReportedPurchasesService } from '../../src/purchases/recording/reported-purchases.service.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createSecretKey, type SignedUp, signUp } from '../support/arrange.js';
import { createOrganization, startEnterpriseServer } from '../support/arrange-enterprise.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { until } from '../support/program.js';
import type { TestServer } from '../support/test-server.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const eu = { api_url: 'https://api.eu.example.com/', app_url: 'https://app.eu.example.com' };
const enforced = { SERVICE_REGION: 'us', SERVICE_REGION_URLS: JSON.stringify({ eu }) };

interface Place {
  person: SignedUp;
  path: string;
  appId: string;
  publicKey: string;
  secretKey: string;
}

describe('regions', () => {
  /** Two deployments on one database: one that only records regions, and one that enforces them. */
  let recording: TestServer;
  let enforcing: TestServer;
  let here: Place;
  let away: Place;
  let organization: string;

  async function place(): Promise<Place> {
    const person = await signUp(recording);
    const { client, key: secretKey } = await createSecretKey(person.session, person.projectId);
    const path = `/v2/projects/${person.projectId}`;
    const app = { name: 'App', type: 'app_store', app_store: { bundle_id: 'com.example.app' } };
    const { body } = await client.post(`${path}/apps`, app);
    const keys = await client.get(`${path}/apps/${body.id}/public_api_keys`);
    return { person, path, appId: body.id as string, publicKey: keys.body.items[0].key as string, secretKey };
  }

  beforeAll(async () => {
    recording = await startEnterpriseServer();
    here = await place();
    away = await place();
    ({ path: organization } = await createOrganization(recording, { owner: away.person }));
    await away.person.session.post(`${organization}/projects`, { project_id: away.person.projectId });
    const region = `${organization}/projects/${away.person.projectId}/region`;
    expect((await away.person.session.post(region, { region: 'eu' })).status).toBe(200);
    expect((await away.person.session.get(away.path)).status).toBe(200);
    const { databaseUrl, clock } = recording;
    enforcing = await startEnterpriseServer({ databaseUrl, clock, env: enforced });
  });

  afterAll(async () => {
    await enforcing.close();
    await recording.close();
  });

  const sessionOf = ({ person }: Place) => enforcing.http.withCookie(person.cookie);

  it('refuses the projects of other regions where they are enforced: 421 to REST, 503 to SDKs and stores', async () => {
    for (const client of [sessionOf(away), enforcing.http.withKey(away.secretKey)]) {
      const { status, body, headers } = await client.get(`${away.path}/products`);
      expect([status, body.type, body.region]).toEqual([421, 'invalid_request', 'eu']);
      expect([body.api_url, body.app_url]).toEqual([
        'https://api.eu.example.com',
        'https://app.eu.example.com',
      ]);
      expect(headers['retry-after']).toBeUndefined();
    }
    const sdk = enforcing.http.withKey(away.publicKey);
    const notification = `/v1/notifications/apple/${away.appId}`;
    for (const answer of [
      await sdk.get('/v1/subscribers/ada'),
      await sdk.get('/v1/subscribers/ada'),
      await sdk.post('/v1/receipts', { fetch_token: 'x', app_user_id: 'ada' }),
      await enforcing.http.post(notification, { signedPayload: 'x' }),
    ]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
    }
    expect((await enforcing.http.withKey(here.publicKey).get('/v1/subscribers/ada')).status).toBe(201);
    expect((await sessionOf(here).get(here.path)).status).toBe(200);
  });

  it('refuses to choose or change a region where regions are enforced', async () => {
    const { body } = await sessionOf(away).get(organization);
    expect(body).toMatchObject({ region_enforced: true, selectable_regions: ['us'] });
    for (const [url, change] of [
      [organization, { region: 'eu' }],
      ['/v2/organizations', { name: 'EU', region: 'eu' }],
    ] as const) {
      const { status, body: error } = await sessionOf(away).post(url, change);
      expect([url, status, error.param]).toEqual([url, 400, 'region']);
    }
    const region = `${organization}/projects/${away.person.projectId}/region`;
    const changed = await sessionOf(away).post(region, { region: 'us' });
    expect([changed.status, changed.body.type]).toEqual([422, 'unprocessable_entity_error']);
  });

  it('forgets the locations at a start without enforced regions', async () => {
    const { databaseUrl, clock } = recording;
    const rows = () => recording.dataSource.query('SELECT project_id, region FROM project_locations');
    expect(await rows()).toEqual([{ project_id: away.person.projectId, region: 'eu' }]);
    await (await startEnterpriseServer({ databaseUrl, clock })).close();
    expect(await rows()).toEqual([]);
    await until(async () => (await sessionOf(away).get(away.path)).status === 200);
    await (await startEnterpriseServer({ databaseUrl, clock, env: enforced })).close();
    await until(async () => (await sessionOf(away).get(away.path)).status === 421);
  });
});

describe('jobs of a project in another region', () => {
  let server: TestServer;
  let store: TestStore;
  let receiver: Receiver;

  beforeAll(async () => {
    server = await startEnterpriseServer({ env: enforced });
    store = await createTestStore(server);
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await receiver.close();
    await server.close();
  });

  /** Writes the location as the enterprise edition of another process does. */
  async function move(isAway: boolean): Promise<void> {
    const write = isAway
      ? `INSERT INTO project_locations (project_id, region, changed_at) VALUES ($1, 'eu', now())`
      : 'DELETE FROM project_locations WHERE project_id = $1';
    await server.dataSource.query(write, [store.projectId]);
    await server.dataSource.query('SELECT pg_notify($1, $2)', ['project_locations_changed', store.projectId]);
    const expected = isAway ? 421 : 200;
    await until(async () => (await store.backend.get(`${store.path}/customers`)).status === expected);
  }

  async function runJobs(): Promise<void> {
    await server.app.get(DueWorkJob).run();
    await server.app.get(StoreTasksService).drain();
    await server.app.get(DeliveryDispatcherService).drain();
    await server.app.get(CustomerCountsJob).run();
    await server.app.get(ChartsRollupJob).run();
  }

  /** Counts the work that waits for jobs and the events that they recorded. */
  async function work(): Promise<Record<string, number>> {
    const count = (sql: string) => `(SELECT count(*)::int FROM ${sql} WHERE project_id = $1`;
    const [counts] = await server.dataSource.query<Record<string, number>[]>(
      `SELECT ${count('subscriptions')} AND next_due_at IS NOT NULL) AS due, ${count('store_tasks')}) AS tasks,
         ${count('webhook_deliveries')} AND status = 'pending') AS pending, ${count('metric_customer_changes')}) AS metrics,
         ${count('chart_changes')}) AS charts, ${count('events')}) AS events`,
      [store.projectId],
    );
    return counts ?? {};
  }

  it('leaves them alone, and does them once after the project has returned', async () => {
    const url = `${store.path}/integrations/webhooks`;
    expect((await store.backend.post(url, { name: 'Hook', url: receiver.url })).status).toBe(201);
    await runJobs();
    await server.dataSource.query(
      `INSERT INTO store_tasks (project_id, app_id, kind, key, detail, due_at)
       VALUES ($1, $2, 'play_acknowledgement', 'unknown', '{}', $3)`,
      [store.projectId, store.appId, new Date(server.clock.nowMs())],
    );
    receiver.answerWith(status(500));
    const receipt = testReceipt('ada', server.clock.nowMs());
    expect((await store.sdk.post('/v1/receipts', receipt)).status).toBeLessThan(300);
    await runJobs();
    await store.sdk.post('/v1/receipts', testReceipt('bob', server.clock.nowMs()));
    // The endpoint must still fail when the event of this purchase is first sent.
    await server.app.get(DeliveryDispatcherService).drain();
    receiver.answerWith(status(200));
    await move(true);
    server.clock.advanceMs(40 * 86_400_000);
    const before = await work();
    expect(before).toMatchObject({ due: 2, tasks: 1, events: 2 });
    expect(Math.min(before.pending ?? 0, before.metrics ?? 0, before.charts ?? 0)).toBeGreaterThan(0);
    const requests = receiver.requests.length;
    await runJobs();
    expect(await work()).toEqual(before);
    expect(receiver.requests).toHaveLength(requests);

    await move(false);
    await runJobs();
    server.clock.advanceMs(1_000);
    await runJobs();
    const types = receiver.requests.slice(requests).map(({ body }) => JSON.parse(body).event.type as string);
    expect(types.filter((type) => type === 'EXPIRATION')).toHaveLength(2);
    expect(types.filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(2);
    expect(await work()).toMatchObject({ due: 0, pending: 0, metrics: 0, charts: 0 });
  });

  it('records nothing that a store reported before the project moved away', async () => {
    await move(true);
    const purchases = [
      { kind: 'one_time' as const, key: 'late', firstPostStands: true, shouldConsume: false },
    ];
    const reported = {
      projectId: store.projectId,
      appId: store.appId,
      store: 'play_store' as const,
      environment: 'production' as const,
      purchases: purchases as never,
    };
    await expect(server.app.get(ReportedPurchasesService).record(reported)).rejects.toMatchObject({
      message: 'The data of this project is in another region.',
    });
    await move(false);
  });
});
