import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver, status } from '../support/webhook-receiver.js';

const MINUTE_MS = 60_000;
const OTHER = 'dst_0123456789abcdef';

/** A newer version, running beside this one during an upgrade, may have created integrations of other types. */
describe('integrations of a type that this version does not know', () => {
  let server: TestServer;
  let store: TestStore;
  let receiver: Receiver;
  let list: string;
  let webhookId: string;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_WEBHOOK_CIRCUIT_FAILURES: '1' },
    });
    // The newer version has extended the list of types.
    await server.dataSource.query(
      'ALTER TABLE webhook_integrations DROP CONSTRAINT webhook_integrations_type_check',
    );
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    store = await createTestStore(server);
    receiver = await startReceiver();
    list = `${store.path}/integrations/webhooks`;
    webhookId = (await store.backend.post(list, { name: 'Backend', url: receiver.url })).body.id;
    await server.dataSource.query(
      `INSERT INTO webhook_integrations (project_id, id, type, name, settings, sealed_settings, created_at)
       VALUES ($1, $2, 'future', 'Future', '{}', 'sealed', $3)`,
      [store.projectId, OTHER, new Date(server.clock.nowMs())],
    );
  });

  afterEach(async () => {
    await receiver.close();
    await server.dataSource.query('DELETE FROM webhook_deliveries');
    await server.dataSource.query('DELETE FROM webhook_circuits');
    await server.dataSource.query('DELETE FROM webhook_integrations');
  });

  const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();

  async function metric(name: string): Promise<number> {
    const lines = (await (await fetch(`${server.baseUrl}/metrics`)).text()).split('\n');
    return Number(
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  }

  it('leaves their deliveries to the other version, and sends those of webhooks', async () => {
    await recordEvent(server, store.projectId);
    await recordEvent(server, store.projectId);
    await drain();
    expect(receiver.requests).toHaveLength(2);
    expect((await deliveriesTo(server, webhookId)).map(({ status: is }) => is)).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(await deliveriesTo(server, OTHER)).toMatchObject([
      { status: 'pending', attempts: 0, lease_until: null },
      { status: 'pending', attempts: 0, lease_until: null },
    ]);
  });

  it('drops their deliveries once they are deleted', async () => {
    await recordEvent(server, store.projectId);
    await server.dataSource.query('DELETE FROM webhook_integrations WHERE id = $1', [OTHER]);
    await drain();
    expect(await deliveriesTo(server, OTHER)).toEqual([]);
  });

  it('does not find them by the routes of webhooks', async () => {
    const found = async (path: string): Promise<string[]> =>
      (await store.backend.get(path)).body.items.map(({ id }: Json) => id);
    expect(await found(list)).toEqual([webhookId]);
    expect(await found(`${store.path}/webhooks`)).toEqual([webhookId]);
    await recordEvent(server, store.projectId);
    const [delivery] = await deliveriesTo(server, OTHER);
    const log = `${store.path}/webhooks/${OTHER}`;
    const range = { from: 0, to: server.clock.nowMs() + MINUTE_MS, status: 'all' };
    const answers = [
      await store.backend.get(`${list}/${OTHER}`),
      await store.backend.post(`${list}/${OTHER}`, { enabled: false }),
      await store.backend.post(`${list}/${OTHER}/actions/rotate_secret`, {}),
      await store.backend.delete(`${list}/${OTHER}`),
      await store.backend.post(`${log}/test`, {}),
      await store.backend.get(`${log}/deliveries`),
      await store.backend.get(`${log}/deliveries/${delivery?.id}`),
      await store.backend.post(`${log}/deliveries/${delivery?.id}/retry`, {}),
      await store.backend.post(`${log}/actions/replay`, range),
      await store.backend.get(`${log}/replays`),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404));
    expect(await deliveriesTo(server, OTHER)).toMatchObject([{ id: delivery?.id, status: 'pending' }]);
  });

  /** Deliveries that wait for attributes, as a newer version records them. */
  async function wait(appUserId: string, ...attributes: string[]): Promise<void> {
    await server.dataSource.query(
      `UPDATE webhook_deliveries d SET status = 'waiting', reason = 'missing_attribute', next_attempt_at = NULL,
         waits_for = $3, wait_until = $4, customer_id = a.customer_id
       FROM customer_aliases a
       WHERE a.project_id = d.project_id AND a.app_user_id = $2 AND d.webhook_integration_id = $1
         AND d.status = 'pending'`,
      [OTHER, appUserId, attributes, new Date(server.clock.nowMs() + MINUTE_MS)],
    );
  }

  const set = (appUserId: string, attributes: Record<string, string>): Promise<{ status: number }> => {
    const updated_at_ms = server.clock.nowMs();
    const fields = Object.entries(attributes).map(([name, value]) => [name, { value, updated_at_ms }]);
    const body = { attributes: Object.fromEntries(fields) };
    return store.sdk.post(`/v1/subscribers/${appUserId}/attributes`, body);
  };

  const waitingState = async (): Promise<unknown> =>
    server.dataSource.query(
      'SELECT status, reason, waits_for FROM webhook_deliveries WHERE webhook_integration_id = $1',
      [OTHER],
    );
  const waits = { status: 'waiting', reason: 'missing_attribute', waits_for: ['$idfa', '$fbAnonId'] };
  const due = { status: 'pending', reason: null, waits_for: null };

  it('wakes what waits for an attribute of the customer when it gets another value', async () => {
    await store.sdk.get('/v1/subscribers/ada');
    await store.sdk.get('/v1/subscribers/kim');
    await recordEvent(server, store.projectId);
    await wait('ada', '$idfa', '$fbAnonId');
    await set('ada', { $adjustId: 'a', $email: 'ada@example.com' });
    await set('kim', { $idfa: 'b' });
    expect(await waitingState()).toEqual([waits]);
    expect((await set('ada', { $idfa: 'c' })).status).toBe(200);
    expect(await waitingState()).toEqual([due]);
    await wait('ada', '$idfa', '$fbAnonId');
    server.clock.advanceMs(1);
    await set('ada', { $idfa: 'c' });
    expect(await waitingState()).toEqual([waits]);
    server.clock.advanceMs(MINUTE_MS);
    await set('ada', { $idfa: 'd' });
    expect(await waitingState()).toEqual([waits]);
  });

  it('wakes what either of two merged customers waits for', async () => {
    const anonymous = `$RCAnonymousID:${'a'.repeat(32)}`;
    await store.sdk.get(`/v1/subscribers/${anonymous}`);
    await store.sdk.get('/v1/subscribers/ada');
    await recordEvent(server, store.projectId);
    await wait('ada', '$idfa', '$fbAnonId');
    await recordEvent(server, store.projectId);
    await wait(anonymous, '$idfa', '$fbAnonId');
    expect(await waitingState()).toEqual([waits, waits]);
    await store.sdk.post('/v1/subscribers/identify', {
      app_user_id: anonymous,
      new_app_user_id: 'ada',
    });
    expect(await waitingState()).toEqual([due, due]);
  });

  it('does not count them among webhooks', async () => {
    await recordEvent(server, store.projectId);
    await server.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'failed', attempts = 6 WHERE webhook_integration_id = $1`,
      [OTHER],
    );
    await recordEvent(server, store.projectId);
    await server.dataSource.query(
      `INSERT INTO webhook_circuits (project_id, webhook_integration_id, failures, opened_at, probe_at)
       VALUES ($1, $2, 9, $3, $3)`,
      [store.projectId, OTHER, new Date(server.clock.nowMs())],
    );
    await drain();
    server.clock.advanceMs(MINUTE_MS);
    expect(await metric('tenure_webhook_oldest_due_seconds')).toBe(0);
    expect(await metric('tenure_webhook_circuits{state="half_open"}')).toBe(0);
    const health = await store.backend.get(`${store.path}/setup_health`);
    expect(health.body.webhooks).toMatchObject({
      total: 1,
      attempted_24h: 2,
      delivered_24h: 2,
      failed_24h: 0,
      pending: 0,
    });
  });
});

describe('an endpoint that asked for a pause', () => {
  it('receives nothing until the pause ends, then everything that waits', async () => {
    const server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    const store = await createTestStore(server);
    const receiver = await startReceiver();
    const made = await store.backend.post(`${store.path}/integrations/webhooks`, {
      name: 'Backend',
      url: receiver.url,
    });
    const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();
    await server.dataSource.query(
      `INSERT INTO webhook_circuits (project_id, webhook_integration_id, failures, not_before, limited)
       VALUES ($1, $2, 0, $3, 1)`,
      [store.projectId, made.body.id, new Date(server.clock.nowMs() + MINUTE_MS)],
    );
    await recordEvent(server, store.projectId);
    await recordEvent(server, store.projectId);
    await drain();
    expect(receiver.requests).toHaveLength(0);
    server.clock.advanceMs(MINUTE_MS);
    await drain();
    expect(receiver.requests).toHaveLength(2);
    expect(await server.dataSource.query('SELECT * FROM webhook_circuits')).toEqual([]);
    await receiver.close();
    await server.close();
  });
});

describe('an attempt without an answer', () => {
  it('marks the delivery, because the endpoint may have received it', async () => {
    const server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    const store = await createTestStore(server);
    const receiver = await startReceiver();
    await store.backend.post(`${store.path}/integrations/webhooks`, { name: 'Backend', url: receiver.url });
    const isMarked = async (): Promise<unknown> =>
      server.dataSource.query('SELECT status, reason, may_be_repeated AS marked FROM webhook_deliveries');
    const drain = (): Promise<void> => server.app.get(DeliveryDispatcherService).drain();
    await recordEvent(server, store.projectId);
    receiver.answerWith(status(500));
    await drain();
    expect(await isMarked()).toEqual([{ status: 'pending', reason: null, marked: false }]);
    server.clock.advanceMs(10 * MINUTE_MS);
    receiver.answerWith((response) => response.destroy());
    await drain();
    expect(await isMarked()).toEqual([{ status: 'pending', reason: null, marked: true }]);
    server.clock.advanceMs(20 * MINUTE_MS);
    receiver.answerWith(status(200));
    await drain();
    expect(await isMarked()).toEqual([{ status: 'delivered', reason: null, marked: true }]);
    await receiver.close();
    await server.close();
  });
});
