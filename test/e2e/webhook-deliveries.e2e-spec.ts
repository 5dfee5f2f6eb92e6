import { createHmac } from 'node:crypto';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, type RecordedEvent, recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
/** The longest that an attempt after so many minutes can take: waits are stretched a little. */
const stretched = (minutes: number): number => minutes * MINUTE_MS * 1.05;

/** A project with apps `appId` and `otherAppId`, and a client that may do everything in it. */
async function createProject(server: TestServer) {
  const { session, projectId } = await signUp(server);
  const { client } = await createSecretKey(session, projectId);
  const app = async (): Promise<string> => {
    const made = await client.post(`/v2/projects/${projectId}/apps`, { name: 'App', type: 'test_store' });
    return made.body.id;
  };
  return { projectId, client, appId: await app(), otherAppId: await app() };
}

describe('webhook deliveries', () => {
  let server: TestServer;
  let project: Awaited<ReturnType<typeof createProject>>;
  let receivers: Receiver[];
  let integrations: string[];
  let replicas: TestServer[];

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_WEBHOOK_CONCURRENCY: '8',
        SERVICE_WEBHOOK_ENDPOINT_CONCURRENCY: '3',
        // Circuits have tests of their own.
        SERVICE_WEBHOOK_CIRCUIT_FAILURES: '100000',
      },
    });
  });

  afterAll(() => server.close());

  // A project of its own keeps the integrations of one test out of the events of the next.
  beforeEach(async () => {
    project = await createProject(server);
    receivers = [];
    integrations = [];
    replicas = [];
  });

  // Nothing of a test may reach the endpoints of the next, which may get the same ports.
  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(integrations.map((path) => project.client.delete(path)));
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  const drain = (...servers: TestServer[]): Promise<unknown> =>
    Promise.all(
      (servers.length > 0 ? servers : [server]).map(({ app }) => app.get(DeliveryDispatcherService).drain()),
    );

  const record = (event: RecordedEvent = {}): Promise<string> =>
    recordEvent(server, project.projectId, event);

  async function receiver(): Promise<Receiver> {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  }

  /** A second server on the same database, with the same clock. */
  async function startReplica(): Promise<TestServer> {
    const { databaseUrl, clock } = server;
    const replica = await startTestServer({
      databaseUrl,
      clock,
      env: { SERVICE_WEBHOOK_CIRCUIT_FAILURES: '100000' },
    });
    replicas.push(replica);
    return replica;
  }

  async function integrate(fields: object): Promise<Json> {
    const path = `/v2/projects/${project.projectId}/integrations/webhooks`;
    const made = await project.client.post(path, { name: 'Backend', ...fields });
    expect(made.status).toBe(201);
    integrations.push(`${path}/${made.body.id}`);
    return { ...made.body, path: `${path}/${made.body.id}` };
  }

  it('sends the recorded bytes, signed, and nothing after a 200', async () => {
    const endpoint = await receiver();
    const authorization = 'Basic  dXNlcjpwYXNz; über="1"';
    const webhook = await integrate({ url: endpoint.url, authorization_header: authorization });
    const body = '{ "z":1.50,"a":"Zoë \\u00fc 😀",\n  "big":12345678901234567890 }';
    await record({ body });
    await drain();
    const [request] = endpoint.requests;
    expect([request?.method, request?.path]).toEqual(['POST', '/hook']);
    expect(request?.body).toBe(`{"api_version":"1.0","event":${body}}`);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      authorization,
    });
    const timestamp = Math.floor(server.clock.nowMs() / 1000);
    const v1 = createHmac('sha256', webhook.signing_secret)
      .update(`${timestamp}.`)
      .update(request?.raw ?? '')
      .digest('hex');
    expect(request?.headers).toMatchObject({
      'x-service-webhook-signature': `t=${timestamp},v1=${v1}`,
      'x-revenuecat-webhook-signature': `t=${timestamp},v1=${v1}`,
    });
    expect(await deliveriesTo(server, webhook.id)).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^whd_[0-9a-f]{16}$/),
        status: 'delivered',
        attempts: 1,
        response_status: 200,
        response_ms: expect.any(Number),
        next_attempt_at: null,
        lease_until: null,
        last_error: null,
      }),
    ]);
    server.clock.advanceMs(24 * 60 * MINUTE_MS);
    await drain();
    expect(endpoint.requests).toHaveLength(1);
  });

  it('retries after 5, 10, 20, 40 and 80 minutes, and fails after six attempts', async () => {
    const endpoint = await receiver();
    endpoint.answerWith(status(500));
    const webhook = await integrate({ url: endpoint.url });
    await record();
    await drain();
    for (const [index, minutes] of [5, 10, 20, 40, 80].entries()) {
      const attempts = index + 1;
      expect(await deliveriesTo(server, webhook.id)).toEqual([
        expect.objectContaining({
          status: 'pending',
          attempts,
          response_status: 500,
          last_error: 'The endpoint answered 500; only 200 counts as delivered.',
        }),
      ]);
      const [{ next_attempt_at: dueMs } = { next_attempt_at: null }] = await deliveriesTo(server, webhook.id);
      const waitMs = (dueMs ?? 0) - server.clock.nowMs();
      expect(waitMs).toBeGreaterThanOrEqual(minutes * MINUTE_MS);
      expect(waitMs).toBeLessThanOrEqual(stretched(minutes));
      server.clock.advanceMs(waitMs - 1);
      await drain();
      expect(endpoint.requests).toHaveLength(attempts);
      server.clock.advanceMs(1);
      await drain();
      expect(endpoint.requests).toHaveLength(attempts + 1);
    }
    const failed = { status: 'failed', attempts: 6, next_attempt_at: null, lease_until: null };
    expect(await deliveriesTo(server, webhook.id)).toEqual([expect.objectContaining(failed)]);
    server.clock.advanceMs(24 * 60 * MINUTE_MS);
    await drain();
    expect(endpoint.requests).toHaveLength(6);
    expect(new Set(endpoint.requests.map(({ body }) => body)).size).toBe(1);
    // Signed anew each time.
    const signatures = endpoint.requests.map(({ headers }) => headers['x-service-webhook-signature']);
    expect(new Set(signatures).size).toBe(6);
  });

  it('delivers with the attempt that gets a 200', async () => {
    const endpoint = await receiver();
    endpoint.answerWith((response, count) => status(count < 3 ? 503 : 200)(response, count));
    const webhook = await integrate({ url: endpoint.url });
    await record();
    for (const minutes of [0, 5, 10, 20]) {
      server.clock.advanceMs(stretched(minutes));
      await drain();
    }
    expect(endpoint.requests).toHaveLength(3);
    const delivered = { status: 'delivered', attempts: 3, response_status: 200, last_error: null };
    expect(await deliveriesTo(server, webhook.id)).toEqual([expect.objectContaining(delivered)]);
  });

  it.each([201, 202, 204, 301, 302, 307, 400, 404, 429])('fails with a %d', async (code) => {
    const endpoint = await receiver();
    const elsewhere = await receiver();
    endpoint.answerWith(status(code, { location: elsewhere.url }));
    const webhook = await integrate({ url: endpoint.url });
    await record();
    await drain();
    const pending = { status: 'pending', attempts: 1, response_status: code };
    expect(await deliveriesTo(server, webhook.id)).toEqual([expect.objectContaining(pending)]);
    expect(elsewhere.requests).toEqual([]);
  });

  it('fails without an answer, saying why', async () => {
    const closed = await receiver();
    await closed.close();
    const closing = await receiver();
    closing.answerWith((response) => response.destroy());
    const unreachable = await integrate({ url: closed.url });
    const rude = await integrate({ url: closing.url, authorization_header: 'Bearer secret' });
    await record();
    await drain();
    const none = { status: 'pending', attempts: 1, response_status: null, response_ms: expect.any(Number) };
    expect(await deliveriesTo(server, unreachable.id)).toEqual([
      expect.objectContaining({
        ...none,
        last_error: 'The host could not be reached (ECONNREFUSED).',
      }),
    ]);
    expect(await deliveriesTo(server, rude.id)).toEqual([
      expect.objectContaining({
        ...none,
        last_error: 'The connection was closed before the answer was complete (UND_ERR_SOCKET).',
      }),
    ]);
  });

  it('creates one for each integration whose filters the event passes', async () => {
    const { appId, otherAppId } = project;
    const filters = {
      all: {},
      sandbox: { environment: 'sandbox' },
      production: { environment: 'production' },
      app: { app_id: appId },
      renewals: { event_types: ['renewal', 'expiration'] },
      aliases: { event_types: ['subscriber_alias'] },
      funnel: { event_types: ['funnel_purchase'], environment: 'sandbox' },
    };
    const events: Record<string, [RecordedEvent, string[]]> = {
      renewal: [{ appId }, ['all', 'sandbox', 'app', 'renewals']],
      otherApp: [{ appId: otherAppId }, ['all', 'sandbox', 'renewals']],
      productionPurchase: [
        { appId, type: 'INITIAL_PURCHASE', environment: 'production' },
        ['all', 'production', 'app'],
      ],
      grant: [{ type: 'INITIAL_PURCHASE', appId: null }, ['all', 'sandbox']],
      alias: [{ type: 'SUBSCRIBER_ALIAS', appId, environment: null }, ['aliases']],
      funnel: [{ type: 'FUNNEL_PURCHASE', appId }, ['funnel']],
      imported: [{ appId, delivery: 'suppressed' }, []],
    };
    const endpoints = new Map<string, Receiver>();
    for (const [name, filter] of Object.entries(filters)) {
      const endpoint = await receiver();
      endpoints.set(name, endpoint);
      await integrate({ url: endpoint.url, ...filter });
    }
    const ids = new Map<string, string>();
    for (const [name, [event]] of Object.entries(events)) ids.set(await record(event), name);
    await drain();
    const got = Object.fromEntries(Object.keys(events).map((name) => [name, [] as string[]]));
    for (const [name, { requests }] of endpoints) {
      for (const { body } of requests) got[ids.get(JSON.parse(body).event.id) ?? '']?.push(name);
    }
    const expected = Object.entries(events).map(([name, [, receiving]]) => [name, receiving]);
    expect(got).toEqual(Object.fromEntries(expected));
  });

  it('goes where the integration points when it is sent', async () => {
    const [before, after] = [await receiver(), await receiver()];
    before.answerWith(status(500));
    const webhook = await integrate({ url: before.url, authorization_header: 'old' });
    await record();
    await drain();
    await project.client.post(webhook.path, { url: after.url, authorization_header: null });
    server.clock.advanceMs(stretched(5));
    await drain();
    expect([before.requests.length, after.requests.length]).toEqual([1, 1]);
    expect(after.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('waits while the integration is paused, sends when it resumes, and creates none meanwhile', async () => {
    const endpoint = await receiver();
    endpoint.answerWith(status(500));
    const webhook = await integrate({ url: endpoint.url });
    const waiting = await record();
    await drain();
    await project.client.post(webhook.path, { enabled: false });
    await record();
    server.clock.advanceMs(60 * MINUTE_MS);
    await drain();
    expect(endpoint.requests).toHaveLength(1);
    endpoint.answerWith(status(200));
    await project.client.post(webhook.path, { enabled: true });
    await endpoint.received(2);
    await drain();
    expect(endpoint.requests.map(({ body }) => JSON.parse(body).event.id)).toEqual([waiting, waiting]);
  });

  it('drops them with their integration', async () => {
    const endpoint = await receiver();
    endpoint.answerWith(status(500));
    const [deleted, vanished, kept] = [
      await integrate({ url: endpoint.url }),
      await integrate({ url: endpoint.url }),
      await integrate({ url: endpoint.url }),
    ];
    await record();
    await drain();
    expect((await project.client.delete(deleted.path)).status).toBe(200);
    expect(await deliveriesTo(server, deleted.id)).toEqual([]);
    // Rows that a purchase beside the deletion leaves behind.
    await server.dataSource.query('DELETE FROM webhook_integrations WHERE id = $1', [vanished.id]);
    server.clock.advanceMs(stretched(5));
    await drain();
    expect(endpoint.requests).toHaveLength(4);
    expect(await deliveriesTo(server, vanished.id)).toEqual([]);
    expect(await deliveriesTo(server, kept.id)).toEqual([expect.objectContaining({ attempts: 2 })]);
  });

  it('sends them once for each attempt, however many servers there are', async () => {
    const endpoint = await receiver();
    endpoint.answerWith((response, count) => status(count <= 60 ? 500 : 200)(response, count));
    const webhook = await integrate({ url: endpoint.url });
    const both = [server, await startReplica()];
    const ids = await Promise.all(Array.from({ length: 60 }, () => record()));
    const sentIds = (): string[] => endpoint.requests.map(({ body }) => JSON.parse(body).event.id);
    await drain(...both);
    await drain(...both);
    expect(sentIds().toSorted()).toEqual(ids.toSorted());
    server.clock.advanceMs(stretched(5));
    await drain(...both);
    await drain(...both);
    expect(sentIds().toSorted()).toEqual([...ids, ...ids].toSorted());
    const rows = await deliveriesTo(server, webhook.id);
    expect(new Set(rows.map((row) => `${row.status} ${row.attempts}`))).toEqual(new Set(['delivered 2']));
  });

  it('delivers to other endpoints while one hangs', async () => {
    const [hanging, healthy] = [await receiver(), await receiver()];
    hanging.answerWith(() => undefined);
    const slow = [await integrate({ url: hanging.url }), await integrate({ url: hanging.url })];
    for (let index = 0; index < 10; index++) await record();
    const dispatcher = server.app.get(DeliveryDispatcherService);
    dispatcher.wake();
    await hanging.received(3);
    await integrate({ url: healthy.url, event_types: ['expiration'] });
    for (let index = 0; index < 5; index++) await record({ type: 'EXPIRATION' });
    dispatcher.wake();
    await healthy.received(5);
    // Three attempts at most for each of the two integrations; the others have not been claimed.
    expect(hanging.requests.length).toBeLessThanOrEqual(6);
    const leased = (await deliveriesTo(server, slow[0].id)).filter((row) => row.lease_until !== null);
    expect(leased.length).toBeLessThanOrEqual(3);
  });

  it('counts them in the metrics', async () => {
    const endpoint = await receiver();
    const samples = async (): Promise<number[]> => {
      const lines = (await (await fetch(`${server.baseUrl}/metrics`)).text()).split('\n');
      return [
        'tenure_webhook_attempts_total{webhook="failing",result="delivered"}',
        'tenure_webhook_attempts_total{webhook="healthy",result="retry"}',
        'tenure_webhook_first_attempt_delay_seconds_count{webhook="healthy"}',
      ].map((name) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]));
    };
    const [delivered = 0, retried = 0, first = 0] = await samples();
    await integrate({ url: endpoint.url });
    endpoint.answerWith((response, count) => status(count === 1 ? 500 : 200)(response, count));
    await record();
    await drain();
    server.clock.advanceMs(stretched(5));
    await drain();
    expect(await samples()).toEqual([delivered + 1, retried + 1, first + 1]);
  });
});
